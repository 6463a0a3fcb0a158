import hashlib
import hmac
import os
import re
import sys
import time


def verify(raw_body: bytes, header: str | None, secret: str, now: float) -> bool:
    """raw_body: the request's bytes. now: seconds since 1970."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if match is None:
        return False
    timestamp, given = match.groups()
    if abs(now - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given, expected)


# python3 verify.py <header> [now] <body, with the secret in WEBHOOK_SECRET
if __name__ == "__main__":
    header = sys.argv[1] if len(sys.argv) > 1 else None
    now = float(sys.argv[2]) if len(sys.argv) > 2 else time.time()
    secret = os.environ.get("WEBHOOK_SECRET", "")
    sys.exit(0 if verify(sys.stdin.buffer.read(), header, secret, now) else 1)
