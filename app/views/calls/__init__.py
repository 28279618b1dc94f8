"""A trace as a table: a row for each call, what it took and what its turn cost.

`table` makes it of a run's steps, `query` narrows and sorts it, `csv` and `otlp` write it for other
programs.
"""

from app.views.calls.query import SORTS, Query, picked
from app.views.calls.table import Row, Spent, Table, scripted_dollars, table_of

__all__ = ["SORTS", "Query", "Row", "Spent", "Table", "picked", "scripted_dollars", "table_of"]
