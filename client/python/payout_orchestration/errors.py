"""What a call raises."""

from __future__ import annotations

from typing import Any, Mapping, TypedDict


class FieldError(TypedDict):
    """A field that was rejected."""

    field: str
    code: str
    message: str


class ApiError(Exception):
    """
    The service refused the request. ``code`` is stable; ``docs_url`` says what to do. ``headers`` have names in lower
    case.
    """

    def __init__(self, status: int, headers: Mapping[str, str], error: Mapping[str, Any]) -> None:
        self.status = status
        self.headers = headers
        self.code = str(error.get("code") or "")
        self.request_id = error.get("request_id") or headers.get("x-request-id")
        self.docs_url = error.get("docs_url")
        self.details: list[FieldError] = list(error.get("details") or [])
        message = error.get("message") or f"the service answered {status}"
        super().__init__(f"{self.code or status}: {message}")


class ConnectionFailed(Exception):
    """
    No answer came. Whether the request took effect is not known: where it had an ``idempotency_key``, the same request
    with that key is safe to send again.
    """

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        self.idempotency_key = idempotency_key
        super().__init__(message)
