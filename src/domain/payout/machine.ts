/**
 * The payout's state machine as one table. These are made from it or compared with it: the enum of
 * GraphQL and REST, the permitted actions, the CHECK constraint and the table of permitted transitions
 * in the database, the page `docs/state-machine.md`, and the test matrix.
 */
export const payoutStates = [
  'pending_approval',
  'approved',
  'rejected',
  'disbursed',
  'failed',
  'returned',
  'canceled',
  'settled',
  'compliance_hold',
] as const;
export type PayoutState = (typeof payoutStates)[number];

/** What moves a payout. Callers ask for the first four; the others mostly happen at the provider. */
export type PayoutTrigger =
  | 'create'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'hold'
  | 'release'
  | 'disburse'
  | 'settle'
  | 'fail'
  | 'return';

interface Transition {
  readonly trigger: PayoutTrigger;
  /** `new` means that the payout does not exist yet. */
  readonly from: PayoutState | 'new';
  readonly to: PayoutState;
  /** Only while no attempt is live, that is, while the provider cannot have the payment. */
  readonly beforeSubmission?: true;
}

export const transitions: readonly Transition[] = [
  { trigger: 'create', from: 'new', to: 'pending_approval' },
  { trigger: 'create', from: 'new', to: 'approved' }, // with the validator strategy `auto`
  { trigger: 'create', from: 'new', to: 'compliance_hold' }, // where the payee may be on a list of sanctions
  { trigger: 'approve', from: 'pending_approval', to: 'approved' },
  { trigger: 'reject', from: 'pending_approval', to: 'rejected' },
  { trigger: 'reject', from: 'compliance_hold', to: 'rejected' },
  { trigger: 'cancel', from: 'pending_approval', to: 'canceled' },
  { trigger: 'cancel', from: 'compliance_hold', to: 'canceled' },
  { trigger: 'cancel', from: 'approved', to: 'canceled', beforeSubmission: true },
  { trigger: 'hold', from: 'pending_approval', to: 'compliance_hold' },
  { trigger: 'hold', from: 'approved', to: 'compliance_hold', beforeSubmission: true },
  { trigger: 'release', from: 'compliance_hold', to: 'pending_approval' },
  { trigger: 'disburse', from: 'approved', to: 'disbursed' },
  { trigger: 'settle', from: 'disbursed', to: 'settled' },
  { trigger: 'fail', from: 'approved', to: 'failed' },
  { trigger: 'fail', from: 'disbursed', to: 'failed' },
  { trigger: 'return', from: 'disbursed', to: 'returned' },
  { trigger: 'return', from: 'settled', to: 'returned' },
];

/** What a caller may ask of a payout. The field `permittedActions` shows those that its state permits. */
export const payoutActions = ['approve', 'reject', 'cancel'] as const;
export type PayoutAction = (typeof payoutActions)[number];

/** The states in which a payout can be replaced by another. */
export const replaceableStates: readonly PayoutState[] = ['failed', 'returned'];

/** The states of payouts that may still be paid, or for which the money is on its way. */
export const unfinishedStates: readonly PayoutState[] = [
  ...new Set(
    transitions.flatMap(({ from, trigger }) =>
      from === 'new' || trigger === 'return' ? [] : [from],
    ),
  ),
];

/** The states from which a trigger may always move a payout. */
export function statesBefore(trigger: PayoutTrigger): PayoutState[] {
  return fromStates(trigger, false);
}

/** The further states from which it may do so until the payout is handed to the provider. */
export function statesBeforeSubmission(trigger: PayoutTrigger): PayoutState[] {
  return fromStates(trigger, true);
}

function fromStates(trigger: PayoutTrigger, beforeSubmission: boolean): PayoutState[] {
  return transitions.flatMap((t) =>
    t.trigger === trigger && t.from !== 'new' && (t.beforeSubmission ?? false) === beforeSubmission
      ? [t.from]
      : [],
  );
}

/** The state that a trigger leads to. */
export function stateAfter(trigger: Exclude<PayoutTrigger, 'create'>): PayoutState {
  const found = transitions.find((t) => t.trigger === trigger);
  if (found === undefined) throw new Error(`the machine has no transition for ${trigger}`);
  return found.to;
}
