import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { command } from '../../db/command.ts';
import { pairOf, takeLedgerLock } from './post-command.ts';
import { postings } from './postings.ts';

/*
 * The functions that write what no transition of a payout causes: money that came in or went out, and the mode
 * of a tenant. Each such entry has a source, by which it is booked once.
 */

/** Books an entry once for its source; `news` is false where the source was booked before. */
export const recordFunding = command({
  name: 'record_funding',
  comment: `Books money that came in, went out or was taken as a fee, once for its source
-- (src/domain/ledger/funding-command.ts).`,
  parameters: {
    tenant: 'text',
    kind: 'text',
    currency: 'text',
    amount: 'bigint',
    source: 'text',
  },
  returns: 'TABLE (entry public.ledger_entry, news boolean)',
  select: `r.news, ${columns(Prisma.LedgerEntryScalarFieldEnum, '(r.entry)')}`,
  declare: `
  into_funds bigint := CASE _kind WHEN 'funding' THEN _amount ELSE -_amount END;
  into_fees bigint := CASE _kind WHEN 'fee' THEN _amount ELSE 0 END;
  debit text := CASE _kind WHEN 'funding' THEN 'funds' WHEN 'fee' THEN 'fees' ELSE 'external' END;
  credit text := CASE _kind WHEN 'funding' THEN 'external' ELSE 'funds' END;
  made text := command.entry_id();
  place smallint;`,
  body: `
  SELECT b.slot INTO place FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = 0;
  IF NOT FOUND THEN
    PERFORM command.open_ledger(_tenant => _tenant, _currency => _currency);
  END IF;
  INSERT INTO public.ledger_entry AS e (
    tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, source
  )
  VALUES (_tenant, made, _kind, _currency, _amount, debit, credit, _source)
  ON CONFLICT (tenant_id, source) WHERE source IS NOT NULL DO NOTHING
  RETURNING e.* INTO entry;
  news := FOUND;
  IF NOT news THEN
    SELECT e.* INTO entry FROM public.ledger_entry e WHERE e.tenant_id = _tenant AND e.source = _source;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT b.slot INTO place FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency
  ORDER BY b.slot DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  UPDATE public.ledger_balance AS b SET
    funds_minor = b.funds_minor + into_funds,
    fees_minor = b.fees_minor + into_fees,
    external_minor = b.external_minor - into_funds - into_fees
  WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = coalesce(place, 0);
  RETURN NEXT;`,
});

/**
 * Books the difference between a balance that somebody stated and what is posted. It takes the lock of a change
 * of the mode: of two statements at once, the second compares itself with what the first booked.
 */
export const bookBalance = command({
  name: 'book_balance',
  comment: `Books the difference between a stated balance and the posted funds
-- (src/domain/ledger/funding-command.ts).`,
  parameters: { tenant: 'text', currency: 'text', balance: 'bigint', source: 'text' },
  returns: 'TABLE (difference bigint)',
  select: 'r.difference',
  body: `
  ${takeLedgerLock}
  SELECT _balance - coalesce(sum(b.funds_minor), 0) INTO difference FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency;
  IF difference <> 0 THEN
    PERFORM command.record_funding(
      _tenant => _tenant, _kind => CASE WHEN difference > 0 THEN 'funding' ELSE 'withdrawal' END,
      _currency => _currency, _amount => abs(difference), _source => _source
    );
  END IF;
  RETURN NEXT;`,
});

/** Less than PostgreSQL's `deadlock_timeout`, which is a second. */
const modePatienceMs = 400;

/**
 * Changes a tenant's mode and books its opening balances. The locks of all slots wait for every posting under
 * way, and the next posting sees the new mode. Slot 0 is locked last (`post-command.ts`). A posting that goes on to
 * the first payout of a currency waits for the change, which waits for it. The change gives up before PostgreSQL ends
 * one of the two, so that it is never the posting, and its caller repeats it. `ready` is false, and
 * nothing changes, while payouts from before the ledger are not booked yet.
 */
export const setLedgerMode = command({
  name: 'set_ledger_mode',
  comment:
    'Changes the mode of a tenant, with opening balances (src/domain/ledger/funding-command.ts).',
  parameters: { tenant: 'text', mode: 'text', openings: 'jsonb', source: 'text' },
  returns: 'TABLE (ready boolean)',
  select: 'r.ready',
  declare: `
  at timestamptz := now();
  opening record;
  patience CONSTANT text := set_config('lock_timeout', '${modePatienceMs}ms', true);`,
  body: `
  ${takeLedgerLock}
  ready := NOT EXISTS (SELECT 1 FROM public.ledger_carry_over c WHERE c.tenant_id = _tenant);
  IF NOT ready THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOR opening IN
    SELECT o.currency FROM jsonb_to_recordset(_openings) AS o (currency text) ORDER BY o.currency
  LOOP
    PERFORM command.open_ledger(_tenant => _tenant, _currency => opening.currency);
  END LOOP;
  PERFORM 1 FROM public.ledger_balance b WHERE b.tenant_id = _tenant
  ORDER BY b.currency, b.slot DESC FOR NO KEY UPDATE;
  INSERT INTO public.ledger_mode AS m (tenant_id, mode, changed_at) VALUES (_tenant, _mode, at)
  ON CONFLICT (tenant_id) DO UPDATE SET mode = excluded.mode, changed_at = excluded.changed_at;
  UPDATE public.ledger_balance AS b SET enforced = _mode = 'enforced' WHERE b.tenant_id = _tenant;
  FOR opening IN
    SELECT o.currency, o.amount_minor
    FROM jsonb_to_recordset(_openings) AS o (currency text, amount_minor bigint) ORDER BY o.currency
  LOOP
    PERFORM command.book_balance(
      _tenant => _tenant, _currency => opening.currency, _balance => opening.amount_minor,
      _source => _source || ' ' || opening.currency
    );
  END LOOP;
  RETURN NEXT;`,
});

/**
 * Books the missing entries of the next payouts of a tenant that moved before the ledger was there, and notes
 * how far it came. After the last of them it books the balance that was reported. It compares transitions with
 * entries, so it books nothing twice, whatever moves meanwhile.
 */
export const carryOver = command({
  name: 'carry_over_ledger',
  comment: `Books what the next payouts from before the ledger imply
-- (src/domain/ledger/funding-command.ts).`,
  parameters: { tenant: 'text', count: 'integer' },
  returns: 'TABLE (booked integer, finished boolean)',
  select: 'r.booked, r.finished',
  declare: `
  passed text;
  last_payout text;
  missing record;
  account record;`,
  body: `
  booked := 0;
  SELECT c.payout_id INTO passed FROM public.ledger_carry_over c WHERE c.tenant_id = _tenant FOR UPDATE;
  finished := NOT FOUND;
  IF finished THEN
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT max(n.id) INTO last_payout FROM (
    SELECT p.id FROM public.payout p WHERE p.tenant_id = _tenant AND p.id > passed ORDER BY p.id LIMIT _count
  ) n;
  IF last_payout IS NULL THEN
    SELECT f.currency, f.available_balance_minor INTO account FROM public.funding_account f
    WHERE f.tenant_id = _tenant FOR NO KEY UPDATE;
    IF FOUND THEN
      PERFORM command.book_balance(
        _tenant => _tenant, _currency => account.currency, _balance => account.available_balance_minor,
        _source => 'carry over'
      );
    END IF;
    DELETE FROM public.ledger_carry_over AS c WHERE c.tenant_id = _tenant;
    finished := true;
    RETURN NEXT;
    RETURN;
  END IF;
  FOR missing IN
    SELECT p.currency, t.from_state, t.to_state, array_agg(p.id) AS ids, array_agg(t.seq) AS seqs,
      array_agg(p.amount_minor) AS amounts
    FROM public.payout p
    JOIN public.payout_transition t ON t.tenant_id = _tenant AND t.payout_id = p.id
    WHERE p.tenant_id = _tenant AND p.id > passed AND p.id <= last_payout
      AND t.from_state || ' ' || t.to_state IN (${postings.map(pairOf).join(', ')}) AND NOT EXISTS (
      SELECT 1 FROM public.ledger_entry e
      WHERE e.tenant_id = _tenant AND e.payout_id = p.id AND e.transition_seq = t.seq
    )
    GROUP BY p.currency, t.from_state, t.to_state ORDER BY p.currency
  LOOP
    booked := booked + cardinality(missing.ids);
    PERFORM command.post_entries(
      _tenant => _tenant, _currency => missing.currency, _from => missing.from_state, _to => missing.to_state,
      _payouts => missing.ids, _seqs => missing.seqs, _amounts => missing.amounts
    );
  END LOOP;
  UPDATE public.ledger_carry_over AS c SET payout_id = last_payout WHERE c.tenant_id = _tenant;
  RETURN NEXT;`,
});
