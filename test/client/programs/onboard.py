"""Onboards a payee, pays it, and reacts to what happened, with the client and nothing else."""

import json
import os
import sys
import time

from payout_orchestration import ApiError, PayoutClient
from payout_orchestration.types import PayoutCreate

client = PayoutClient(os.environ["BASE_URL"], os.environ["API_KEY"])

payee = client.create_beneficiary({
    "beneficiary_type": "person",
    "email": "ada.python@example.com",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "country_of_residence": "US",
    "date_of_birth": "1990-04-01",
    "acknowledged": True,
    "external_ref": "python-1",
})["beneficiary"]
[found] = client.each(client.list_beneficiaries, external_ref="python-1")
account = client.register_bank_account(payee["id"], {
    "account_holder_name": "Ada Lovelace",
    "country": "US",
    "currency": "USD",
    "routing_code": "021000021",
    "account_number": "000123450001",
})["bank_account"]
order: PayoutCreate = {
    "beneficiary_id": payee["id"],
    "bank_account_id": account["id"],
    "amount_minor": 1250,
    "currency": "USD",
    "purpose_of_payment": "marketplace_payout",
    "idempotency_key": "python-order-1",
}
payout = client.create_payout(order)["payout"]
replayed = client.create_payout(order)["payout"]
assert payout is not None and replayed is not None
client.approve_payout(payout["id"])

refused = None
try:
    client.create_payout({**order, "amount_minor": 1})
except ApiError as error:
    refused = [error.status, error.code, error.request_id is not None]

# The account ends in 0001: the payment fails, so another account is paid instead.
deadline = time.monotonic() + 30
seen: list[str] = []
while "payout.failed" not in seen and time.monotonic() < deadline:
    seen = [event["type"] for event in client.each(client.list_events, limit=2, since="2026-01-01T00:00:00Z")]
    time.sleep(0.2)

other = client.register_bank_account(payee["id"], {
    "account_holder_name": "Ada Lovelace",
    "country": "DE",
    "currency": "EUR",
    "iban": "DE89370400440532013000",
})["bank_account"]
archived = client.archive_beneficiary(payee["id"])["beneficiary"]
address_book = client.export_beneficiaries()

json.dump({
    "found": found["id"] == payee["id"],
    "replayed": replayed["id"] == payout["id"],
    "refused": refused,
    "failed": "payout.failed" in seen,
    "other": other["last4"],
    "archived": archived["archived_at"] is not None,
    "book": address_book.decode().splitlines()[0],
}, sys.stdout)
