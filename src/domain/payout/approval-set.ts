import { createHash } from 'node:crypto';
import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { answerStepUp } from '../step-up/answer.ts';
import { approvalDigests } from '../step-up/commands.gen.ts';
import { decideInBulk, type BulkDecision } from './decide-bulk.ts';
import type { DecisionInput } from './decision-input.ts';

/** A payout of a set, and what its approval would be about. */
export interface SetItem {
  readonly payoutId: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

/** What the payouts of one currency add up to, in minor units. */
export interface SetTotal {
  readonly currency: string;
  readonly amountMinor: bigint;
}

/** Payouts that are to be approved together, as they are at this moment. */
export interface ApprovalSet {
  readonly items: readonly SetItem[];
  readonly totals: readonly SetTotal[];
  /** SHA-256 in hexadecimal over the digests of the items in ascending order, with a line feed after each. */
  readonly digest: string;
  /** Those that wait for no approval, or cannot be approved. */
  readonly leftOut: readonly string[];
}

const digestOf = (items: readonly SetItem[]): string => {
  const sorted = items.map(({ digest }) => digest).toSorted();
  return createHash('sha256')
    .update(sorted.map((digest) => `${digest}\n`).join(''))
    .digest('hex');
};

type Row = Awaited<ReturnType<typeof approvalDigests>>[number];

function totalsOf(found: readonly Row[]): SetTotal[] {
  const totals = new Map<string, bigint>();
  for (const { currency, amountMinor } of found) {
    totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(amountMinor));
  }
  return [...totals]
    .map(([currency, amountMinor]) => ({ currency, amountMinor }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

const read = ({ scope, services }: Call, payoutIds: readonly string[]): Promise<Row[]> =>
  approvalDigests(services.pool, scope.tenantId, {
    payouts: [...new Set(payoutIds.filter((id) => isId('payout', id)))],
    business: scope.businessId,
  });

/** Throws `validation_failed` for no payout, and for more than are decided on at once. */
function requireNumber({ services }: Call, count: number): void {
  const most = services.config.DECISION_BULK_ROWS;
  if (count >= 1 && count <= most) return;
  throw invalid([
    { field: 'payoutIds', code: 'out_of_range', message: `must name 1 to ${most} payouts` },
  ]);
}

/**
 * What an approval of some payouts would be about: each by its digest, together by theirs and by their totals. It is for
 * `approveSet`. Throws forbidden, validation_failed.
 */
export async function readApprovalSet(
  call: Call,
  payoutIds: readonly string[],
): Promise<ApprovalSet> {
  requirePermission(call.scope, 'payouts:decide');
  requireNumber(call, payoutIds.length);
  const found = await read(call, payoutIds);
  const items = found.map(({ payout, digest }) => ({ payoutId: payout, digest }));
  const known = new Set(items.map(({ payoutId }) => payoutId));
  const leftOut = [...new Set(payoutIds)].filter((id) => !known.has(id));
  return { items, totals: totalsOf(found), digest: digestOf(items), leftOut };
}

const hexDigest = z.string().regex(/^[0-9a-f]{64}$/, { message: 'is no SHA-256 in hexadecimal' });

const setInput = z.strictObject({
  digest: hexDigest,
  totals: z.array(z.strictObject({ currency: text(3), amountMinor: z.bigint() })).max(200),
  items: z.array(z.strictObject({ payoutId: text(), digest: hexDigest })),
});
export type SetInput = z.input<typeof setInput>;

/** Throws `conflict` unless the totals are those of the payouts that are named, whatever else changed of them. */
async function requireTotals(
  call: Call,
  { items, totals }: z.output<typeof setInput>,
): Promise<void> {
  const found = await read(
    call,
    items.map(({ payoutId }) => payoutId),
  );
  const present = new Map(
    totalsOf(found).map(({ currency, amountMinor }) => [currency, amountMinor]),
  );
  const given = new Map(totals.map(({ currency, amountMinor }) => [currency, amountMinor]));
  // What left the set since makes it smaller; nothing makes it larger than what was seen.
  const isMore = [...present].some(([currency, sum]) => sum > (given.get(currency) ?? 0n));
  const isAll = found.length === items.length;
  const isSame =
    present.size === given.size && [...present].every(([c, sum]) => sum === given.get(c));
  if (isMore || (isAll && !isSame)) {
    throw new DomainError('conflict', {
      message: 'The totals are not those of the payouts. Nothing was approved; read the set again.',
    });
  }
}

/**
 * Approves payouts in one command by the digest of the set and its totals, as `readApprovalSet` gave them. One that is
 * another one by now, or that lacks more than the caller's approval takes (a passkey, another person), has its error, and
 * the others go on. A digest or totals that are not those of the items approve nothing. Throws forbidden,
 * validation_failed, conflict, and as `answerStepUp`.
 * @param response the answer of the caller's passkey, where one is given
 */
export async function approveSet(
  call: Call,
  given: SetInput,
  reasons: DecisionInput['reasons'],
  response: unknown,
): Promise<BulkDecision[]> {
  requirePermission(call.scope, 'payouts:decide');
  const set = parseInput(setInput, given);
  requireNumber(call, set.items.length);
  if (digestOf(set.items) !== set.digest) {
    throw invalid([{ field: 'digest', code: 'mismatch', message: 'is not that of the items' }]);
  }
  await requireTotals(call, set);
  const expected = new Map(set.items.map(({ payoutId, digest }) => [payoutId, digest]));
  const sign = async (): Promise<string | null> =>
    response === null || response === undefined ? null : answerStepUp(call, response);
  return decideInBulk(call, [...expected.keys()], { status: 'approved', reasons }, sign, expected);
}
