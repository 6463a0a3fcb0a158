/** The groups of operations, in alphabetical order, each with what its operations are about. */
export const tags = {
  'Bank accounts':
    'Destinations of payouts. Identifiers are encrypted, answered masked, and checked when they are registered; `payout_usable` says whether an account can be paid.',
  Beneficiaries:
    'Payees, each a person or a business, with the compliance status that payouts to them need.',
  Business: 'The business itself: registration, profile, and how its collection pages look.',
  Collection:
    'Invites by which payees give their own details on a hosted form, and the tax documents that they upload.',
  Decisions: 'Approving and rejecting payouts, by people or by programs.',
  Exports: 'Payouts and beneficiaries as CSV, made while it is sent or written by a job.',
  Funding: 'The account that payouts are paid from, and the test money of the sandbox.',
  'Payout batches':
    'Rows of payments that are checked as a whole and submitted as one thing. Each becomes a payout of its own.',
  Payouts:
    'Money to a bank account of a beneficiary: created once for each idempotency key, approved, handed over to a provider, settled.',
  Reference:
    'What other requests take: purposes of payment, and what an account in a country needs.',
  Sandbox: 'What a provider would report, told by you. Sandbox keys only.',
  Screening: 'Whether payees are on lists of sanctions: results, hits, and the decisions on them.',
  Webhooks:
    'The endpoint that events are sent to, its deliveries, and sending them again. What arrives there is under `webhooks`.',
} as const;

export type Tag = keyof typeof tags;
