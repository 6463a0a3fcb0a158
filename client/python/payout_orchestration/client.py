"""How requests are sent: with keys, time-outs and retries that cannot pay twice."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import ssl
import time
import uuid
from email.message import Message
from typing import Any, Callable, Iterator, Mapping
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from .errors import ApiError, ConnectionFailed
from .operations import API_VERSION, Operations

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_UNCLEAR = (502, 503, 504)
_LOST_RACES = ("conflict", "PAYOUT_CONCURRENCY_CONFLICT")


class _NoRedirects(HTTPRedirectHandler):
    """A redirect could lead a write, and the key, to another server."""

    def redirect_request(self, *_args: Any) -> None:
        return None


def _new_ulid() -> str:
    number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def _new_key(field: str) -> str:
    return _new_ulid() if field == "decision_id" else str(uuid.uuid4())


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _error_in(body: bytes) -> Mapping[str, Any]:
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _lower(headers: Message) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _seconds(header: str | None) -> float | None:
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


class PayoutClient(Operations):
    """
    The API with an API key. Every operation is a method; it returns what the service answers, and raises ``ApiError`` or
    ``ConnectionFailed``.

    A request that only reads, or that has a key, is sent again where an answer is missing or says nothing; where a
    request takes a key and has none, the client makes one. A 429 is waited for.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 30,
        max_retries: int = 3,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must be an http or https URL")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        https = HTTPSHandler(context=ssl_context)
        self._opener: OpenerDirector = build_opener(_NoRedirects, https)

    def each(self, operation: Callable[..., Any], *args: str, **query: Any) -> Iterator[Any]:
        """
        Every row of a list, page after page: ``client.each(client.list_payouts, state=["failed"])``.
        """
        cursor: str | None = None
        while True:
            page = operation(*args, **{**query, "cursor": cursor})
            yield from next(rows for name, rows in page.items() if name != "next_cursor")
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    def _send(
        self,
        method: str,
        template: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
        files: bool = False,
    ) -> Any:
        if key is not None and not isinstance(body, str):
            body = dict(body or {})
            if body.get(key) is None:
                body[key] = _new_key(key)
        request = Request(self._url(template, path or {}, query or {}), method=method)
        request.add_header("Accept", "*/*")
        request.add_header("X-Api-Version", API_VERSION)
        if self._api_key is not None:
            request.add_header("Authorization", f"Bearer {self._api_key}")
        if body is not None:
            is_csv = isinstance(body, str)
            request.add_header("Content-Type", "text/csv" if is_csv else "application/json")
            request.data = body.encode() if is_csv else json.dumps(body).encode()
        elif method == "POST":
            request.data = b""
        sent_key = body.get(key) if key is not None and isinstance(body, dict) else None
        return self._attempts(request, keyed=key is not None, sent_key=sent_key, files=files)

    def _url(self, template: str, path: Mapping[str, str], query: Mapping[str, Any]) -> str:
        for name, value in path.items():
            if value in ("", ".", ".."):
                raise ValueError(f"{name} is no id")
            template = template.replace("{" + name + "}", quote(value, safe=""))
        pairs = [
            (name, _text(one))
            for name, value in query.items()
            if value is not None
            for one in (value if isinstance(value, (list, tuple)) else [value])
        ]
        return f"{self._base_url}{template}" + (f"?{urlencode(pairs)}" if pairs else "")

    def _attempts(self, request: Request, *, keyed: bool, sent_key: str | None, files: bool) -> Any:
        repeatable = keyed or request.get_method() == "GET"
        for attempt in range(1, self._max_retries + 2):
            last = attempt > self._max_retries
            wait = min(0.25 * 2 ** (attempt - 1), 8) * (0.5 + random.random() / 2)
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    headers = _lower(response.headers)
                    return self._read(response.status, headers, response.read(), files)
            except HTTPError as refusal:
                with refusal:
                    headers = _lower(refusal.headers)
                    error = ApiError(refusal.code, headers, _error_in(refusal.read()))
                again = (
                    error.status == 429
                    or (error.status in _UNCLEAR and repeatable)
                    or (error.status == 409 and keyed and error.code in _LOST_RACES)
                )
                if last or not again:
                    raise error from None
                asked = _seconds(headers.get("retry-after"))
                # Callers who were told the same time do not come back together.
                wait = wait if asked is None else asked * (1 + random.random() / 10)
            except (URLError, OSError, http.client.HTTPException) as problem:
                if last or not repeatable:
                    raise ConnectionFailed(f"no answer to attempt {attempt}: {problem}", sent_key) from problem
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    @staticmethod
    def _read(status: int, headers: Mapping[str, str], body: bytes, files: bool) -> Any:
        if status == 204 or body == b"":
            return None
        kind = (headers.get("content-type") or "").split(";")[0].strip().lower()
        if kind == "application/json":
            return json.loads(body)
        if files:
            return body
        raise ApiError(status, headers, {"message": f"an answer of the type {kind or 'none'}"})
