import type { ActivityFilter } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { dayAfter, startOfDay } from '../../values/time.ts';

export type ActivityKind = keyof typeof texts.activity.kinds;

/** The kinds of what happens. An object's keys are its type's. */
export const activityKinds = Object.keys(texts.activity.kinds) as ActivityKind[];

/** Which of it the page lists: of a kind, and between two days, both included. */
export interface ActivityChoice {
  readonly kind?: ActivityKind;
  readonly since?: string;
  readonly until?: string;
}

export function filterOf({ kind, since, until }: ActivityChoice): ActivityFilter {
  return {
    ...(kind !== undefined && { kind: [kind] }),
    ...(since !== undefined && { since: startOfDay(since) }),
    ...(until !== undefined && { before: startOfDay(dayAfter(until)) }),
  };
}
