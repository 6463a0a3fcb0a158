"""Client of the payout orchestration service."""

from . import types
from .client import PayoutClient
from .errors import ApiError, ConnectionFailed, FieldError
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "ConnectionFailed",
    "FieldError",
    "PayoutClient",
    "WebhookError",
    "WebhookEvent",
    "types",
    "verify_webhook",
]
