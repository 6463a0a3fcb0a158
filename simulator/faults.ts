import { z } from 'zod';
import { lieChannels, lieSchema, type Lie, type LieChannel } from './lies.ts';

const count = z.int().min(0).max(1_000_000).default(0);

/** What the simulator can be told to do wrong. A count goes down with each use; the others stay. */
export const faultsSchema = z.strictObject({
  /** The calls that the faults below meet: submissions, enrollments, look-ups, or every one. */
  on: z.enum(['payouts', 'recipients', 'lookups', 'all']).default('payouts'),
  /** Pause before a call is handled. A caller that gives up may look up, find nothing and still be paid for. */
  slow_ms: z.int().min(0).max(600_000).default(0),
  /** Answer 422 provider_rejected; nothing is taken. */
  refuse: count,
  /** Answer 429; nothing is taken. */
  rate_limited: count,
  /** Answer 500; nothing is taken. */
  error_before_accept: count,
  /** Take it, then answer 500. */
  error_after_accept: count,
  /** Take it, then cut the connection. */
  drop_after_accept: count,
  /** Take it, and never answer. */
  silent: count,
  /** Send each event this many times more after it was delivered. */
  repeat_events: z.int().min(0).max(100).default(0),
  /** Keep a payout's events back until nothing more happens to it by itself, then send the newest first. */
  reorder_events: z.boolean().default(false),
  /** Pause before the first delivery of each event. */
  delay_events_ms: z.int().min(0).max(600_000).default(0),
  /** Send a payout's first event before the answer to its submission. */
  early_event: z.boolean().default(false),
  /** The clock of events and of their signatures runs ahead by this much (behind, if negative). */
  clock_skew_ms: z.int().min(-86_400_000).max(86_400_000).default(0),
  /** A lie about what it did. Null: it tells the truth. */
  lie: lieSchema.nullable().default(null),
  /** Where it lies: in answers to submissions, look-ups and enrollments, and in events. */
  lie_in: z.array(z.enum(lieChannels)).default([...lieChannels]),
});
export type FaultSettings = z.infer<typeof faultsSchema>;

/** The kinds of call that faults distinguish. */
export type FaultTarget = 'payouts' | 'recipients' | 'lookups';

const beforeAccept = ['refuse', 'rate_limited', 'error_before_accept'] as const;
const afterAccept = ['error_after_accept', 'drop_after_accept', 'silent'] as const;
type FaultBefore = (typeof beforeAccept)[number];
type FaultAfter = (typeof afterAccept)[number];

export interface Faults {
  current(): FaultSettings;
  replace(settings: FaultSettings): void;
  slowMs(target: FaultTarget): number;
  /** The lie to tell there, or null. */
  lieIn(channel: LieChannel): Lie | null;
  /** Uses up one fault that comes before acceptance, if one is left for such a call. */
  takeBefore(target: FaultTarget): FaultBefore | null;
  /** Uses up one fault that comes after acceptance, if one is left for such a call. */
  takeAfter(target: FaultTarget): FaultAfter | null;
}

/** Faults are in memory only: a restarted simulator has none. */
export function createFaults(): Faults {
  let settings = faultsSchema.parse({});

  const concerns = (target: FaultTarget): boolean =>
    settings.on === 'all' || settings.on === target;

  function take<Name extends FaultBefore | FaultAfter>(
    names: readonly Name[],
    target: FaultTarget,
  ): Name | null {
    const name = concerns(target) ? names.find((candidate) => settings[candidate] > 0) : undefined;
    if (name === undefined) return null;
    settings = { ...settings, [name]: settings[name] - 1 };
    return name;
  }

  return {
    current: () => settings,
    replace: (next) => {
      settings = next;
    },
    slowMs: (target) => (concerns(target) ? settings.slow_ms : 0),
    lieIn: (channel) => (settings.lie_in.includes(channel) ? settings.lie : null),
    takeBefore: (target) => take(beforeAccept, target),
    takeAfter: (target) => take(afterAccept, target),
  };
}
