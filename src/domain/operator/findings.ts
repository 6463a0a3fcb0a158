/**
 * What a person found about a contradiction of a provider. `as_recorded`: the payout shows what became
 * of the money, and may be replaced as its state permits. `paid_otherwise`: money moved that the payout
 * does not show; it is never replaced.
 */
export const findings = ['as_recorded', 'paid_otherwise'] as const;
export type Finding = (typeof findings)[number];
