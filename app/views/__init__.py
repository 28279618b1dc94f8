"""Traces in, what the templates show out. Pure: nothing here knows HTTP."""
