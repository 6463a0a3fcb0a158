/**
 * The payout's state machine (specification 3.6, decisions 7) as one table. The enum of GraphQL and
 * REST, the permitted actions, the CHECK constraint, the table of permitted transitions in the
 * database, the diagram in docs/ and the test matrix are made from it or compared with it.
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

/** What moves a payout. The first four are asked for by callers, the rest mostly happen at the provider. */
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
  /** 'new' stands for "does not exist yet". */
  readonly from: PayoutState | 'new';
  readonly to: PayoutState;
  /** Only while no attempt may have moved money. */
  readonly beforeHandOver?: true;
  /** Why nothing makes it in this version, although the interface permits it. */
  readonly unmade?: string;
}

export const transitions: readonly Transition[] = [
  { trigger: 'create', from: 'new', to: 'pending_approval' },
  { trigger: 'create', from: 'new', to: 'approved' }, // validator_strategy auto
  {
    trigger: 'create',
    from: 'new',
    to: 'compliance_hold',
    unmade:
      'A payout whose payee may not be paid is refused at its creation and writes nothing (`BENEFICIARY_NOT_COMPLIANT`), and a provider, whose compliance may hold a payout, hears of it at the hand-over at the earliest. An installation that screens payouts itself would create them by it.',
  },
  { trigger: 'approve', from: 'pending_approval', to: 'approved' },
  { trigger: 'reject', from: 'pending_approval', to: 'rejected' },
  { trigger: 'reject', from: 'compliance_hold', to: 'rejected' },
  { trigger: 'cancel', from: 'pending_approval', to: 'canceled' },
  { trigger: 'cancel', from: 'compliance_hold', to: 'canceled' },
  { trigger: 'cancel', from: 'approved', to: 'canceled', beforeHandOver: true },
  { trigger: 'hold', from: 'pending_approval', to: 'compliance_hold' },
  { trigger: 'hold', from: 'approved', to: 'compliance_hold', beforeHandOver: true },
  { trigger: 'release', from: 'compliance_hold', to: 'pending_approval' },
  { trigger: 'disburse', from: 'approved', to: 'disbursed' },
  { trigger: 'settle', from: 'disbursed', to: 'settled' },
  { trigger: 'fail', from: 'approved', to: 'failed' },
  { trigger: 'fail', from: 'disbursed', to: 'failed' },
  { trigger: 'return', from: 'disbursed', to: 'returned' },
  { trigger: 'return', from: 'settled', to: 'returned' },
];

/** What a caller may ask of a payout; the field `permittedActions` shows those that its state allows. */
export const payoutActions = ['approve', 'reject', 'cancel'] as const;
export type PayoutAction = (typeof payoutActions)[number];

/** A predecessor can be replaced from these states (specification 3.6.3). */
export const replaceableStates: readonly PayoutState[] = ['failed', 'returned'];

/** States that a trigger may start from, apart from those only before the hand-over. */
export function statesBefore(trigger: PayoutTrigger): PayoutState[] {
  return fromStates(trigger, false);
}

/** States that a trigger may start from only while nothing was handed to the provider. */
export function statesBeforeHandOver(trigger: PayoutTrigger): PayoutState[] {
  return fromStates(trigger, true);
}

function fromStates(trigger: PayoutTrigger, beforeHandOver: boolean): PayoutState[] {
  return transitions.flatMap((t) =>
    t.trigger === trigger && t.from !== 'new' && (t.beforeHandOver ?? false) === beforeHandOver
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
