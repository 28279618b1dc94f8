"""The tools of a shop: they look things up in two small files of the workspace."""

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from app.harness.results import Report, ToolError, listed, quoted
from app.harness.workspace import Workspace

ORDERS, POLICY = "orders.json", "policy.json"

OrderId = Annotated[str, Field(description="The number of the order, as the customer gives it.")]
DelayReason = Annotated[
    str, Field(description="Why the order is late, as the status of the order says it.")
]

_Table = TypeAdapter(dict[str, dict[str, str | int | float]])


def get_order_status(workspace: Workspace, order_id: OrderId) -> Report:
    """Look up one order: its status, and if it is delayed the reason and the days it is late."""
    found = _table(workspace, ORDERS).get(order_id)
    if found is None:  # the numbers of other customers' orders are nobody's business
        raise ToolError(f"there is no order {quoted(order_id)}; ask the customer for the number")
    return Report(f"order {order_id}", _lines(found))


def get_refund_policy(workspace: Workspace, reason: DelayReason) -> Report:
    """Look up what the shop gives back when an order is late for this reason."""
    policy = _table(workspace, POLICY)
    if reason not in policy:
        raise ToolError(f"there is no policy for {quoted(reason)}; there is {listed([*policy])}")
    return Report(f"policy for delays by {reason}", _lines(policy[reason]))


def _table(workspace: Workspace, name: str) -> dict[str, dict[str, str | int | float]]:
    """The rows of a file by their key. Raises ToolError where the file holds no such table."""
    try:
        return _Table.validate_json(workspace.read(workspace.file(name)).text)
    except ValidationError as problem:
        raise ToolError(f"{name} must be a JSON object that holds an object for each key") from (
            problem
        )


def _lines(row: dict[str, str | int | float]) -> str:
    return "\n".join(f"{key}: {value}" for key, value in row.items())
