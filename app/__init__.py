"""Halqa: see the loop that makes a language model an agent, one step at a time."""
