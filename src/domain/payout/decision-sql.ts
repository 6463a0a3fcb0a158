/** The columns of a decision that a command is given as one jsonb, with how each is read from it. */
const fields = {
  id: (json: string) => `${json} ->> 'id'`,
  decision_id: (json: string) => `${json} ->> 'decision_id'`,
  request_hash: (json: string) => `decode(${json} ->> 'request_hash', 'hex')`,
  status: (json: string) => `${json} ->> 'status'`,
  reasons: (json: string) => `${json} -> 'reasons'`,
  evaluated_by: (json: string) => `${json} -> 'evaluated_by'`,
  submitted_by: (json: string) => `${json} -> 'submitted_by'`,
  policy_version: (json: string) => `${json} ->> 'policy_version'`,
  agent_version: (json: string) => `${json} ->> 'agent_version'`,
  confidence: (json: string) => `(${json} ->> 'confidence')::double precision`,
};

/** Where a command finds the parts of a decision, as SQL. */
interface DecisionPlace {
  /** The decision as `wireDecision` (decision-store.ts) writes it. */
  readonly json: string;
  readonly payout: string;
  /** The time of a decision that names none: a variable, since a write has no `now()` in COALESCE. */
  readonly at: string;
  /** The rows for each of which there is a decision; absent for one decision. */
  readonly from?: string;
}

/** The statement by which a command records a decision. It violates a unique index when its id is taken. */
export function decisionInsert({ json, payout, at, from }: DecisionPlace): string {
  const names = ['tenant_id', 'payout_id', 'evaluated_at', ...Object.keys(fields)];
  const values = [
    '_tenant',
    payout,
    `coalesce((${json} ->> 'evaluated_at')::timestamptz, ${at})`,
    ...Object.values(fields).map((read) => read(json)),
  ];
  const source =
    from === undefined ? `VALUES (${values.join(', ')})` : `SELECT ${values.join(', ')} ${from}`;
  return `INSERT INTO public.payout_decision AS d (${names.join(', ')})
    ${source}`;
}
