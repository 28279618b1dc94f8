"""What can go wrong with a real call: one sentence for each, and whether Retry makes sense."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """`sentence` is ours; `retry` tells whether the same request may be sent again."""

    sentence: str
    retry: bool


REFUSED = Failure("The API refuses the request.", False)
CUT = Failure("The reply broke off before its end.", True)

# By HTTP status, or by the error's type where a stream that had begun well brings it.
BY_STATUS = {
    400: REFUSED,
    401: Failure("The API does not take this key; put it right and start Halqa again.", True),
    402: Failure("The account has no credit left; the API wants to be paid first.", True),
    403: Failure("This key may not do this.", True),
    404: Failure("The API knows no such model, or the address is no Messages API.", False),
    408: Failure("The API waited too long for the request.", True),
    409: Failure("The API is at odds with another request; try again.", True),
    413: Failure("The request is larger than the API takes.", False),
    422: REFUSED,
    429: Failure("Too many requests for now: the API asks to wait.", True),
    500: Failure("The API has a fault of its own.", True),
    502: Failure("The way to the API is broken.", True),
    503: Failure("The API is not available.", True),
    504: Failure("The API took too long.", True),
    529: Failure("The API is overloaded.", True),
}
BY_TYPE = {
    "invalid_request_error": BY_STATUS[400],
    "authentication_error": BY_STATUS[401],
    "billing_error": BY_STATUS[402],
    "permission_error": BY_STATUS[403],
    "not_found_error": BY_STATUS[404],
    "request_too_large": BY_STATUS[413],
    "rate_limit_error": BY_STATUS[429],
    "api_error": BY_STATUS[500],
    "timeout_error": BY_STATUS[504],
    "overloaded_error": BY_STATUS[529],
    # ours
    "timeout": Failure("No reply came in time.", True),
    "connection": Failure("The API cannot be reached.", True),
    "cut": CUT,
    "cancelled": Failure("The call was cancelled.", True),
    "lost": Failure(
        "A call was under way when Halqa stopped. Its reply is lost, and may have been billed.",
        True,
    ),
    "fault": Failure("Halqa made a mistake; it is written in the server's log.", True),
    "not a message": Failure("What came back is no reply of the Messages API.", True),
}
OTHER = Failure("The API answers with an error.", True)


def failure_of(status: int | None, kind: str) -> Failure:
    """What an error means. A stream that breaks has status 200, so its type decides."""
    if status is not None and status >= 400 and status in BY_STATUS:
        return BY_STATUS[status]
    if status is not None and status >= 500:
        return BY_STATUS[500]
    return BY_TYPE.get(kind, OTHER)
