"""The pages. One file for each family of routes; the only place that knows HTTP and templates."""
