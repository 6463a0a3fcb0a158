"""Verifies deliveries that it reads as JSON, and says of each what it is."""

import json
import sys

from payout_orchestration import WebhookError, verify_webhook

answers = []
for case in json.load(sys.stdin):
    try:
        event = verify_webhook(
            case["body"].encode(), case["signature"], case["secret"], now=case["now"]
        )
        answers.append(event["type"])
    except WebhookError as error:
        answers.append(error.reason)
json.dump(answers, sys.stdout)
