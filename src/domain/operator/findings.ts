/**
 * What a person found about a contradiction of a provider. `as_recorded`: the payout shows what happened to
 * the money, and can be replaced if its state permits. `paid_otherwise`: money moved that the payout does not
 * show; it can never be replaced.
 */
export const findings = ['as_recorded', 'paid_otherwise'] as const;
export type Finding = (typeof findings)[number];
