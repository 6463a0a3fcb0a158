import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { readBooks } from '../ledger/books.ts';
import { statesBefore, type PayoutState } from '../payout/machine.ts';
import { statusOfRow } from './list.ts';
import type { BatchRowStatus } from './names.ts';

/** How many rows have a status. */
interface StatusCount {
  readonly status: BatchRowStatus;
  readonly rows: number;
}

/** What a batch comes to in one currency, in minor units of it. */
export interface BatchTotal {
  readonly currency: string;
  /** Rows that are paid or may be: neither wrong, nor failed, nor left out. */
  readonly rows: number;
  readonly amountMinor: bigint;
  /** Of them what no decision has let go yet. */
  readonly undecidedMinor: bigint;
  /** Posted funds, less what is held for approved payouts. */
  readonly availableMinor: bigint;
  /** What the funds lack for what is undecided; 0 where they cover it. */
  readonly shortfallMinor: bigint;
}

/** What the payouts of one state come to in one currency. */
export interface BatchStateTotal {
  readonly state: PayoutState;
  readonly currency: string;
  readonly payouts: number;
  readonly amountMinor: bigint;
}

/** What one provider would pay, or pays, in one currency. */
export interface BatchRoute {
  readonly provider: string | null;
  readonly currency: string;
  readonly rows: number;
  readonly amountMinor: bigint;
}

/** Rows that are refused for one reason. */
export interface BatchProblem {
  readonly code: string;
  readonly message: string;
  readonly rows: number;
  /** The numbers of the first of them. */
  readonly firstRows: readonly number[];
}

export interface BatchSummary {
  readonly statuses: readonly StatusCount[];
  readonly totals: readonly BatchTotal[];
  readonly states: readonly BatchStateTotal[];
  readonly routes: readonly BatchRoute[];
}

const sums = named(
  'payout_batch_sums',
  ['tenant', 'batch'],
  `
    SELECT ${statusOfRow} AS status, r.currency, r.provider, count(*)::integer AS rows,
      coalesce(sum(r.amount_minor), 0)::bigint AS "amountMinor"
    FROM payout_batch_row r
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch
    GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
);

const statesOfPayouts = named(
  'payout_batch_states',
  ['tenant', 'batch'],
  `
    SELECT p.state, p.currency, count(*)::integer AS payouts, sum(p.amount_minor)::bigint AS "amountMinor"
    FROM payout p
    WHERE p.tenant_id = @tenant AND p.batch_id = @batch
    GROUP BY 1, 2 ORDER BY 2, 1`,
);

interface Sum extends Record<string, unknown> {
  readonly status: BatchRowStatus;
  readonly currency: string;
  readonly provider: string | null;
  readonly rows: number;
  readonly amountMinor: bigint;
}

const counts = (given: readonly Pick<Sum, 'rows'>[]): number =>
  given.reduce((all, { rows: n }) => all + n, 0);
const amounts = (given: readonly Pick<Sum, 'amountMinor'>[]): bigint =>
  given.reduce((all, { amountMinor }) => all + amountMinor, 0n);

/** The groups of what has equal keys, in the order of the keys. */
function grouped<Key extends object, Made>(
  given: readonly Sum[],
  keyOf: (sum: Sum) => Key,
  make: (key: Key, sums: readonly Sum[]) => Made,
): Made[] {
  const groups = Map.groupBy(given, (sum) => JSON.stringify(keyOf(sum)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [make(keyOf(first), group)];
  });
}

/** What is or may be paid. */
const paid: ReadonlySet<BatchRowStatus> = new Set(['unchecked', 'ready', 'made']);

/** The states of payouts that no decision has let go. */
const undecided: ReadonlySet<string> = new Set([
  ...statesBefore('approve'),
  ...statesBefore('release'),
]);

/** How far a batch is: its rows by what became of them, what they come to against the funds, and its payouts by state. */
export async function summarize(call: Call, batch: string): Promise<BatchSummary> {
  const { scope, services } = call;
  const values = sums.of({ tenant: scope.tenantId, batch });
  type StateRow = BatchStateTotal & Record<string, unknown>;
  const [found, states, { balances }] = await Promise.all([
    rows<Sum>(services.pool, sums, values),
    rows<StateRow>(
      services.pool,
      statesOfPayouts,
      statesOfPayouts.of({ tenant: scope.tenantId, batch }),
    ),
    readBooks(services.pool, scope),
  ]);
  const available = new Map(balances.map((one) => [one.currency, one.availableMinor]));
  const counted = found.filter(({ status }) => paid.has(status));
  return {
    statuses: grouped(
      found,
      ({ status }) => ({ status }),
      ({ status }, group) => ({ status, rows: counts(group) }),
    ),
    totals: grouped(
      counted,
      ({ currency }) => ({ currency }),
      ({ currency }, group) => {
        const waiting = states.filter(
          (one) => one.currency === currency && undecided.has(one.state),
        );
        const open = amounts(group.filter(({ status }) => status !== 'made')) + amounts(waiting);
        const funds = available.get(currency) ?? 0n;
        const shortfallMinor = open > funds ? open - funds : 0n;
        return {
          currency,
          rows: counts(group),
          amountMinor: amounts(group),
          undecidedMinor: open,
          availableMinor: funds,
          shortfallMinor,
        };
      },
    ),
    states,
    routes: grouped(
      counted.filter(({ status }) => status !== 'unchecked'),
      ({ provider, currency }) => ({ provider, currency }),
      (key, group) => ({ ...key, rows: counts(group), amountMinor: amounts(group) }),
    ),
  };
}

/** Reasons that are told of one batch, and rows that are named for each. */
const [mostProblems, mostNamed] = [100, 50];

const problems = named(
  'payout_batch_problems',
  ['tenant', 'batch'],
  `
    SELECT r.error ->> 'code' AS code, r.error ->> 'message' AS message, count(*)::integer AS rows,
      (array_agg(r.n ORDER BY r.n))[1:${mostNamed}] AS "firstRows"
    FROM payout_batch_row r
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch AND ${statusOfRow} = ANY (ARRAY['wrong', 'failed'])
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${mostProblems}`,
);

/** Why rows of a batch are refused, the most frequent reason first, with the numbers of the first of each. */
export function readProblems({ scope, services }: Call, batch: string): Promise<BatchProblem[]> {
  const values = problems.of({ tenant: scope.tenantId, batch });
  return rows<BatchProblem & Record<string, unknown>>(services.pool, problems, values);
}
