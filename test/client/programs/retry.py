"""Creates a payee at a service that does not answer at once."""

import json
import os
import sys

from payout_orchestration import ApiError, ConnectionFailed, PayoutClient

client = PayoutClient(os.environ["BASE_URL"], "pos_sandbox_x", max_retries=1, timeout=5)
outcome: object
try:
    outcome = client.create_beneficiary({"beneficiary_type": "person", "email": "a@example.com"})
except ApiError as error:
    outcome = error.code
except ConnectionFailed as error:
    outcome = ["no answer", error.idempotency_key]
json.dump(outcome, sys.stdout)
