import { Prisma } from '../../../../generated/prisma/client.ts';
import { columns } from '../../../db/columns.ts';
import { named } from '../../../db/named.ts';
import type { PayoutWalk } from './choose.ts';
import { groups } from './groups.ts';
import { payoutOrders, type PayoutOrderField } from './orders.ts';

const parameters = [
  'tenant',
  'states',
  'currency',
  'failureCode',
  'provider',
  'beneficiaryId',
  'externalRef',
  'idempotencyKey',
  'replaced',
  'lowKey',
  'lowId',
  'highKey',
  'highId',
  'window',
  'take',
] as const;
export type ListParameter = (typeof parameters)[number];

/** Those of the parameters that a text names. */
const used = (text: string): ListParameter[] =>
  parameters.filter((parameter) => new RegExp(`@${parameter}\\b`).test(text));

type Direction = 'ASC' | 'DESC';

/**
 * What a list is read from: the first payouts of a walk as `key` and `id`, at most as many as the window.
 * Each has the order of one index, also where only a number is wanted, so that the planner takes this index and
 * stops with the window, however common it thinks a value to be.
 */
interface ListSource {
  readonly with: string;
  /** @param of the window: all of it in order, or as it comes, for a count */
  readonly window: (direction: Direction, of: 'in order' | 'as it comes') => string;
}

function groupSource(field: PayoutOrderField): ListSource {
  const { key, bound, given } = { given: undefined, ...payoutOrders[field] };
  return {
    with: groups,
    window: (direction, of) => `
      SELECT k.key, k.id FROM groups g CROSS JOIN LATERAL (
        SELECT ${key} AS key, p.id FROM payout p
        WHERE p.tenant_id = @tenant AND p.list_group = g.name${given === undefined ? '' : ` AND ${given}`}
          AND (${key}, p.id) > (${bound('@lowKey')}, @lowId::text)
          AND (${key}, p.id) < (${bound('@highKey')}, @highId::text)
        ORDER BY ${key} ${direction}, p.id ${direction} LIMIT @window
      ) k
      ${of === 'in order' ? `ORDER BY k.key ${direction}, k.id ${direction}` : ''} LIMIT @window`,
  };
}

const allSource: ListSource = {
  with: '',
  window: (direction) => `
      SELECT p.id AS key, p.id FROM payout p
      WHERE p.tenant_id = @tenant AND p.id > @lowId AND p.id < @highId
      ORDER BY p.id ${direction} LIMIT @window`,
};

/** The payouts of which `column` is the parameter: both bounds say so, and the order names one index. */
const exactSource = (column: string, parameter: string): ListSource => ({
  with: '',
  window: (direction) => `
      SELECT p.id AS key, p.id FROM payout p
      WHERE p.tenant_id = @tenant AND p.${column} IS NOT NULL
        AND (p.${column}, p.id) > (${parameter}, @lowId::text)
        AND (p.${column}, p.id) < (${parameter}, @highId::text)
      ORDER BY p.${column} ${direction}, p.id ${direction} LIMIT @window`,
});

const sources: Readonly<Record<PayoutWalk, ListSource>> = {
  all: allSource,
  beneficiaryId: exactSource('beneficiary_id', '@beneficiaryId'),
  externalRef: exactSource('external_ref', '@externalRef'),
  idempotencyKey: exactSource('idempotency_key', '@idempotencyKey'),
  created_at: groupSource('created_at'),
  updated_at: groupSource('updated_at'),
  amount: groupSource('amount'),
  payee_name: groupSource('payee_name'),
  approved_at: groupSource('approved_at'),
  disbursed_at: groupSource('disbursed_at'),
  settled_at: groupSource('settled_at'),
};

/** The payout of each id of a window. The limit keeps the planner from looking for payouts first. */
const payoutOf = `CROSS JOIN LATERAL (
      SELECT p.* FROM payout p WHERE p.tenant_id = @tenant AND p.id = k.id LIMIT 1
    ) p`;

/** Whether a later payout takes its place. A look into an index for each: the limit keeps it from being made for all. */
const isReplaced = `((
        SELECT s.id FROM payout s WHERE s.tenant_id = @tenant AND s.replaces_payout_id = p.id LIMIT 1
      ) IS NOT NULL)`;

/** What a walk did not answer. */
const remaining = (walk: PayoutWalk): string =>
  [
    '(@beneficiaryId::text IS NULL OR p.beneficiary_id = @beneficiaryId)',
    '(@externalRef::text IS NULL OR p.external_ref = @externalRef)',
    '(@idempotencyKey::text IS NULL OR p.idempotency_key = @idempotencyKey)',
    `(@replaced::boolean IS NULL OR ${isReplaced} = @replaced)`,
    ...(sources[walk].with === ''
      ? [
          'p.state = ANY (@states::text[])',
          '(@currency::text IS NULL OR p.currency = @currency)',
          '(@failureCode::text IS NULL OR p.failure_code = @failureCode)',
          '(@provider::text IS NULL OR p.provider = @provider)',
        ]
      : []),
  ].join('\n      AND ');

/** Statements are made when they are first used: few of the many are. */
function once<Key extends readonly unknown[], Made>(
  make: (...key: Key) => Made,
): (...key: Key) => Made {
  const made = new Map<string, Made>();
  return (...key) => {
    const name = key.join(' ');
    const known = made.get(name) ?? make(...key);
    made.set(name, known);
    return known;
  };
}

const pageText = (walk: PayoutWalk, direction: Direction): string => `${sources[walk].with}
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')}, k.key::text AS "listKey"
    FROM (${sources[walk].window(direction, 'in order')}
    ) k ${payoutOf}
    WHERE ${remaining(walk)}
    ORDER BY k.key ${direction}, k.id ${direction} LIMIT @take`;

/** A page: up to `take` payouts of the window that meet what remains. */
export const pageStatement = once((walk: PayoutWalk, direction: Direction) =>
  named(
    `payouts_by_${walk}_${direction}`,
    used(pageText(walk, direction)),
    pageText(walk, direction),
  ),
);

const endText = (walk: PayoutWalk, direction: Direction): string => `${sources[walk].with}
    SELECT k.key::text AS "listKey", k.id FROM (${sources[walk].window(direction, 'in order')}
    ) k
    ORDER BY k.key ${direction}, k.id ${direction} OFFSET @window - 1`;

/** Where a full window ends; no row where there were fewer payouts. */
export const windowEndStatement = once((walk: PayoutWalk, direction: Direction) =>
  named(
    `end_of_payouts_by_${walk}_${direction}`,
    used(endText(walk, direction)),
    endText(walk, direction),
  ),
);

const countText = (walk: PayoutWalk): string => `${sources[walk].with}
    SELECT count(*)::integer AS walked, count(*)::integer AS found
    FROM (${sources[walk].window('DESC', 'as it comes')}
    ) k`;

const narrowedText = (walk: PayoutWalk): string => `${sources[walk].with}
    SELECT count(*)::integer AS walked, count(*) FILTER (WHERE ${remaining(walk)})::integer AS found
    FROM (${sources[walk].window('DESC', 'as it comes')}
    ) k ${payoutOf}`;

/** How many payouts the window has, and how many of them meet what remains. */
export const countStatement = once((walk: PayoutWalk, narrowed: boolean) =>
  narrowed
    ? named(`count_narrowed_payouts_by_${walk}`, used(narrowedText(walk)), narrowedText(walk))
    : named(`count_payouts_by_${walk}`, used(countText(walk)), countText(walk)),
);

const sumsText = (walk: PayoutWalk): string => `${sources[walk].with}
    SELECT p.currency, count(*)::integer AS walked, count(*) FILTER (WHERE ${remaining(walk)})::integer AS count,
      sum(p.amount_minor) FILTER (WHERE ${remaining(walk)})::text AS "amountMinor"
    FROM (${sources[walk].window('DESC', 'as it comes')}
    ) k ${payoutOf}
    GROUP BY p.currency ORDER BY p.currency`;

/** For each currency of the window how many payouts it has, how many of them meet what remains, and their sum. */
export const sumsStatement = once((walk: PayoutWalk) =>
  named(`sums_of_payouts_by_${walk}`, used(sumsText(walk)), sumsText(walk)),
);
