"""`python -m app.cli` is `halqa`."""

from app.cli import main

main(prog_name="halqa")
