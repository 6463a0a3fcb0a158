/** What operators propose; each decides where money or secrets go, or says what became of money. */
export const operatorChangeKinds = [
  'bank_connect',
  'bank_connection_change',
  'routes_replace',
  'production_key',
  'member_invitation',
  'bank_file_take',
  'bank_line_match',
] as const;
export type OperatorChangeKind = (typeof operatorChangeKinds)[number];

/** What members propose to each other, of which operators see nothing. */
export const memberChangeKinds = [
  'webhook_address',
  'approval_policy',
  'approval_group',
  'approval_role',
] as const;

/** The CHECK constraint of `proposed_change` holds the same kinds. */
export type ChangeKind = OperatorChangeKind | (typeof memberChangeKinds)[number];

/** SQL: whether a proposal is an operator's, by its kind. */
export const isOperatorKind = (kind: string): string =>
  `${kind} NOT IN (${memberChangeKinds.map((one) => `'${one}'`).join(', ')})`;

/** How a proposal ends; `stale` where what it would change is not what it was, `replaced` by a later one. */
export type ChangeEnd = 'confirmed' | 'declined' | 'stale' | 'replaced' | 'expired';
export type ChangeStatus = 'waiting' | ChangeEnd;

/** Over a long weekend; whatever nobody has answered by then has to be proposed again. */
export const changeLifetimeHours = 96;
