"""Verifies deliveries of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Literal, Sequence, TypedDict, cast


class WebhookEvent(TypedDict):
    """
    An event as it is delivered: ``type`` tells which fields ``data`` has. A newer service may send types and fields
    that are not known here; ignore them. ``id`` is the same on every attempt.
    """

    id: str
    type: str
    api_version: str
    occurred_at: str
    created_at: str
    sequence: int
    data: dict[str, Any]


Reason = Literal["unsigned", "malformed", "expired", "mismatch", "not_an_event"]


class WebhookError(Exception):
    """A delivery is not to be trusted: answer it with 4xx and do nothing else."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason: Reason = reason
        super().__init__(message)


def verify_webhook(
    body: bytes,
    signature: str | None,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event of a delivery, or ``WebhookError``.

    ``body``: the bytes as they came; a body that was parsed and serialised again has other bytes.
    ``signature``: the header ``X-Service-Signature``.
    ``secret``: the subscription's; several while you replace one.
    """
    if not signature:
        raise WebhookError("unsigned", "X-Service-Signature is missing.")
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature)
    if match is None:
        raise WebhookError("malformed", "X-Service-Signature is not of the form t=…,v1=….")
    timestamp, given = match.groups()
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("expired", "The time of the signature is too far from this clock.")
    signed = timestamp.encode() + b"." + body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [hmac.new(one.encode(), signed, hashlib.sha256).hexdigest() for one in secrets]
    if not any([hmac.compare_digest(given, one) for one in expected]):
        raise WebhookError("mismatch", "The signature is not this secret's.")
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookError("not_an_event", "The body is no event.")
    return cast(WebhookEvent, event)
