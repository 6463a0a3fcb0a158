/** The columns of a judged payout, and the arrays that keep them. */
export const verdict = {
  n: 'numbers',
  id: 'ids',
  idempotency_key: 'keys',
  request_hash: 'hashes',
  state: 'states',
  name: 'names',
  beneficiary_type: 'types',
  version: 'versions',
  refusal: 'refusals',
  stale: 'stales',
  unrouted: 'unroutes',
  rail_rejection_reason: 'reasons',
  existing_id: 'existing_ids',
  same_content: 'sames',
  wanted: 'wants',
} as const;

/** Known later. */
const later = { made: 'makes', passed: 'passes' } as const;

/**
 * The payouts that `create_payouts` has judged, as rows with these columns. Between the statements each column
 * is an array of its own, which costs much less than rows kept as JSON.
 */
export const judged = (...names: (keyof typeof verdict | keyof typeof later)[]): string => {
  const arrays = { ...verdict, ...later };
  return `unnest(${names.map((name) => arrays[name]).join(', ')}) AS v (${names.join(', ')})`;
};
