"""The presenter view: little at once, and all of it large."""
