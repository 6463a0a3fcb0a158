/** What holds for every operation, in Markdown: the description of the document. */
export const guide = `
Payees, compliance, bank accounts, approvals, payouts and signed webhooks over JSON.

## Authentication

\`Authorization: Bearer <API_KEY>\`. The key decides the business and the environment, sandbox or production; what belongs to another business or environment is answered like what does not exist. \`POST /v1/registration\` gives the first key.

## Requests

Bodies are JSON unless said otherwise, and strict: an unknown field or parameter is refused, and so is a number that is not exactly an integer where an integer is asked for. Amounts are integers in the minor units of their currency. Times are ISO 8601. \`X-Request-Id\` (8 to 128 letters, digits, \`.\`, \`_\`, \`:\` and \`-\`) is kept as the id of the request; \`X-Api-Version\` may name the version, and an unknown one is refused.

## Answers

One resource comes in an envelope of its name. Fields, values of enums and error codes may be added within a version: ignore what you do not know. Every answer has \`X-Request-Id\`, \`X-Api-Version\`, \`RateLimit\` and \`RateLimit-Policy\`.

## Errors

Every refusal has the body \`ErrorEnvelope\`. Decide by \`error.code\`; each operation lists the codes that it can give. \`error.message\` is for people. Send the same request again after 429 and 503, as \`Retry-After\` says, and after 500 once. A head or a target that is too large, a request that does not arrive within its time, and a method that a path does not have are \`bad_request\` with 431, 414, 408 and 405.

## Idempotency

A create of a payout is idempotent on \`idempotency_key\` for 24 hours, a decision on \`decision_id\`. Beneficiaries and bank accounts take an \`idempotency_key\` too. The same request again changes nothing and answers 200 with \`Idempotent-Replayed: true\`; another request under the same key is \`IDEMPOTENCY_KEY_REUSED\`. A refused request uses up no key.

## Pagination

A list answers \`limit\` rows, 25 by default and 100 at most, and \`next_cursor\`. Send it as \`cursor\`, with the same filters, for the next page; on the last page it is null. A cursor is opaque, stays valid while rows are added, and works for the list that gave it only.

To follow changes, list payouts, beneficiaries or bank accounts with \`updatedSince\`. That list runs from the oldest change to the newest and holds back a change until every earlier one is visible. Store the \`updated_at\` of the last row that you have seen, and begin with it the next time; the rows of exactly that time come again.

## Webhooks

Events are sent to one HTTPS endpoint for each business and environment: see \`webhooks\`. The signature is made over the raw body.
`.trim();
