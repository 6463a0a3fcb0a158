import { command } from '../../db/command.ts';
import { idPrefixes } from '../../values/ids.ts';
import { effectOf, postings, type Posting } from './postings.ts';

/*
 * The functions that write the ledger (docs/ledger.md). They are parts of the commands that create and move
 * payouts, so an entry is written in the statement that moves its payout, and by no other.
 *
 * A balance is the sum of its slots. A posting takes the highest slot that no other transaction has locked, so
 * postings do not wait for each other, in whatever order a transaction posts to several currencies. Only an
 * approval of an enforced tenant waits: it takes slot 0 of the currency and no other. It then sees what every
 * approval before it reserved. Other postings take slot 0 only when all others are taken: a transaction that has
 * it, and waits for a payout that is being approved, would wait for an approval that waits for it.
 * Whoever locks all slots of a currency takes slot 0 last.
 */

/** The slots of a balance: as many postings of a tenant in a currency can be under way at once. */
const balanceSlots = 16;

/** SQLSTATE of our own: an enforced tenant has less available than an approval needs. */
export const fundingShort = 'PO002';

/** The digits of a TypeID, from 130 bits: one expression, which costs a third of a loop over them. */
const digits = Array.from(
  { length: 26 },
  (_, digit) => `substr(alphabet, substring(bits FROM ${digit * 5 + 1} FOR 5)::integer + 1, 1)`,
).join('\n    || ');

/** A TypeID as `newId` makes them, where the database makes the row. */
export const entryId = command({
  name: 'entry_id',
  comment: 'The id of a new entry of the ledger: a TypeID, as src/values/ids.ts makes them.',
  parameters: {},
  returns: 'text',
  declare: `
  alphabet text := '0123456789abcdefghjkmnpqrstvwxyz';
  bits bit(130) := B'00' || ('x' || replace(uuidv7()::text, '-', ''))::bit(128);`,
  body: `
  RETURN '${idPrefixes.ledgerEntry}_' || ${digits};`,
});

/** Whether a tenant is a sandbox. On Citus, where a tenant's node has no table of tenants, it is another function. */
export const isSandbox = command({
  name: 'is_sandbox',
  comment:
    'A part of other commands: whether a tenant is a sandbox (src/domain/ledger/post-command.ts).',
  parameters: { tenant: 'text' },
  returns: 'boolean',
  body: `
  RETURN (SELECT t.environment = 'sandbox' FROM public.tenant t WHERE t.id = _tenant);`,
});

/**
 * The lock of a tenant's books, until the transaction ends. Citus takes it on the tenant's node, wherever its caller
 * runs, so it is called as an item of FROM.
 */
export const lockLedger = command({
  name: 'lock_ledger',
  comment:
    "The lock of a tenant's books, until the transaction ends (src/domain/ledger/post-command.ts).",
  parameters: { tenant: 'text' },
  returns: 'boolean',
  select: 'r AS locked',
  body: `
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger ' || _tenant, 0));
  RETURN true;`,
});

/** The statement by which another command takes the lock. */
export const takeLedgerLock = 'PERFORM 1 FROM command.lock_ledger(_tenant => _tenant);';

/**
 * Opens the accounts of a currency. A change of the mode takes the same lock, so that a currency that is opened
 * at that moment has the new mode.
 */
export const openLedger = command({
  name: 'open_ledger',
  comment:
    'A part of other commands: opens the accounts of a currency (src/domain/ledger/post-command.ts).',
  parameters: { tenant: 'text', currency: 'text' },
  returns: 'void',
  declare: `
  sandbox boolean;
  enforces boolean;`,
  body: `
  ${takeLedgerLock}
  sandbox := command.is_sandbox(_tenant => _tenant);
  SELECT coalesce(bool_or(m.mode = 'enforced'), false) INTO enforces
  FROM public.ledger_mode m WHERE m.tenant_id = _tenant;
  INSERT INTO public.ledger_account (tenant_id, currency, name)
  SELECT _tenant, _currency, a.name
  FROM unnest(ARRAY['funds', 'in_transit', 'paid', 'fees', 'external']) AS a (name) ORDER BY a.name
  ON CONFLICT (tenant_id, currency, name) DO NOTHING;
  INSERT INTO public.ledger_balance (tenant_id, currency, slot, draws_on, enforced)
  SELECT _tenant, _currency, s.slot, CASE WHEN sandbox THEN 'external' ELSE 'funds' END, enforces
  FROM generate_series(0, ${balanceSlots - 1}) AS s (slot) ORDER BY s.slot
  ON CONFLICT (tenant_id, currency, slot) DO NOTHING;`,
});

/** The states of a transition as one text of SQL. */
export const pairOf = ({ from, to }: Posting): string => `'${from} ${to}'`;

/** What the function notes of a posting before it writes. */
function noted(posting: Posting): string {
  const { kind, debit, credit } = posting;
  const effect = effectOf(posting);
  const signs = (['held', 'drawn', 'in_transit', 'paid'] as const)
    .filter((sum) => effect[sum] !== 0)
    .map((sum) => `by_${sum} := ${effect[sum]};`);
  const sides = [`entry_kind := '${kind}';`, `debit := '${debit}';`, `credit := '${credit}';`];
  return `WHEN ${pairOf(posting)} THEN ${[...sides, ...signs].join(' ')}`;
}

/** Adds what the function noted to one slot of the balance, and notes the account that payouts draw on. */
const addTo = (slot: string): string => `WITH chosen AS MATERIALIZED (${slot})
  UPDATE public.ledger_balance AS b SET
    held_minor = b.held_minor + by_held * total,
    funds_minor = b.funds_minor + CASE b.draws_on WHEN 'funds' THEN by_drawn * total ELSE 0 END,
    external_minor = b.external_minor + CASE b.draws_on WHEN 'external' THEN by_drawn * total ELSE 0 END,
    in_transit_minor = b.in_transit_minor + by_in_transit * total,
    paid_minor = b.paid_minor + by_paid * total
  FROM chosen WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = chosen.slot
  RETURNING b.draws_on, b.enforced INTO place;`;

/**
 * Posts the entries of payouts that make the same transition in one currency, as one change of the balance.
 * Nothing for a transition that has no entry. Raises PO002 for approvals that an enforced tenant has too
 * little for; its DETAIL is JSON of what is missing.
 */
export const postEntries = command({
  name: 'post_entries',
  comment:
    'A part of other commands: posts the entries of a transition (src/domain/ledger/post-command.ts).',
  parameters: {
    tenant: 'text',
    currency: 'text',
    from: 'text',
    to: 'text',
    payouts: 'text[]',
    seqs: 'integer[]',
    amounts: 'bigint[]',
  },
  returns: 'void',
  declare: `
  entry_kind text;
  debit text;
  credit text;
  by_held integer := 0;
  by_drawn integer := 0;
  by_in_transit integer := 0;
  by_paid integer := 0;
  total bigint := 0;
  amount bigint;
  ids text[] := '{}';
  place record;
  left_over bigint;`,
  body: `
  CASE _from || ' ' || _to
    ${postings.map(noted).join('\n    ')}
    ELSE RETURN;
  END CASE;
  FOREACH amount IN ARRAY _amounts LOOP
    total := total + amount;
    ids := ids || command.entry_id();
  END LOOP;

  ${addTo(`
    SELECT f.slot FROM public.ledger_balance f
    WHERE f.tenant_id = _tenant AND f.currency = _currency
      AND (f.slot = 0 OR entry_kind <> 'hold' OR NOT f.enforced)
    ORDER BY f.slot DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`)}
  -- Every slot that it may take is taken, or the currency is new.
  FOR try IN 1..2 LOOP
    EXIT WHEN place.draws_on IS NOT NULL;
    PERFORM command.open_ledger(_tenant => _tenant, _currency => _currency) WHERE try = 2;
    ${addTo('SELECT 0 AS slot')}
  END LOOP;
  IF place.enforced AND entry_kind = 'hold' THEN
    SELECT sum(b.funds_minor - b.held_minor) INTO left_over FROM public.ledger_balance b
    WHERE b.tenant_id = _tenant AND b.currency = _currency;
    IF left_over < 0 THEN
      RAISE EXCEPTION 'less is available than the approval needs' USING ERRCODE = '${fundingShort}',
        DETAIL = jsonb_build_object(
          'currency', _currency, 'available_minor', left_over + total, 'shortfall_minor', -left_over
        );
    END IF;
  END IF;

  debit := CASE debit WHEN 'drawn' THEN place.draws_on ELSE debit END;
  credit := CASE credit WHEN 'drawn' THEN place.draws_on ELSE credit END;
  INSERT INTO public.ledger_entry (
    tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id, transition_seq
  )
  SELECT _tenant, e.id, entry_kind, _currency, e.amount, debit, credit, e.payout, e.seq
  FROM unnest(ids, _payouts, _seqs, _amounts) AS e (id, payout, seq, amount);`,
});
