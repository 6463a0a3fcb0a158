import type { PolicyTrialQuery } from '../../../../generated/console-types/graphql.ts';

type Page = NonNullable<PolicyTrialQuery['approvalPolicyTrial']>;
export type TriedPayout = Page['payouts'][number];
type Member = NonNullable<Page['people'][number]['member']>;

/** What came of the pages so far. */
export interface Figures {
  readonly examined: number;
  readonly passed: number;
  readonly blocked: number;
  readonly nobody: number;
  readonly hours: number;
  readonly byApprovals: ReadonlyMap<number, number>;
  readonly people: ReadonlyMap<string, { readonly member: Member; readonly payouts: number }>;
  readonly payouts: readonly TriedPayout[];
}

export const noFigures: Figures = {
  examined: 0,
  passed: 0,
  blocked: 0,
  nobody: 0,
  hours: 0,
  byApprovals: new Map(),
  people: new Map(),
  payouts: [],
};

/** How many payouts are shown to look into. */
const mostShown = 20;

const weight = ({ nobodyCanApprove, effect, approvals }: TriedPayout): number =>
  (nobodyCanApprove ? 10_000 : 0) + (effect === 'block' ? 1_000 : 0) + approvals;

/** The figures with those of one more page. */
export function withPage(before: Figures, page: Page): Figures {
  const byApprovals = new Map(before.byApprovals);
  for (const { approvals, payouts } of page.byApprovals) {
    byApprovals.set(approvals, (byApprovals.get(approvals) ?? 0) + payouts);
  }
  const people = new Map(before.people);
  for (const { member, payouts } of page.people) {
    if (member === null) continue;
    const known = people.get(member.id)?.payouts ?? 0;
    people.set(member.id, { member, payouts: known + payouts });
  }
  return {
    examined: before.examined + page.examined,
    passed: before.passed + page.passed,
    blocked: before.blocked + page.blocked,
    nobody: before.nobody + page.nobodyCanApprove,
    hours: before.hours + (page.hours ?? 0),
    byApprovals,
    people,
    payouts: [...before.payouts, ...page.payouts]
      .toSorted((one, other) => weight(other) - weight(one))
      .slice(0, mostShown),
  };
}
