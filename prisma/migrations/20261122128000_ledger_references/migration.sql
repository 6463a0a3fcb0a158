-- The reference of an entry to its transition names the payout too, so a second one to the payout checks nothing.
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_payout_fkey;

-- What no transition caused belongs to no payout.
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_cause_check,
  ADD CONSTRAINT ledger_entry_cause_check CHECK (
    CASE WHEN kind IN ('fee', 'funding', 'withdrawal')
      THEN source IS NOT NULL AND payout_id IS NULL AND transition_seq IS NULL
      ELSE source IS NULL AND payout_id IS NOT NULL AND transition_seq IS NOT NULL END
  );

-- Postings of one tenant and currency share the rows of its accounts. Checked at the end, the locks of these
-- rows are held for the commit alone, and fewer transactions hold them at once.
ALTER TABLE ledger_entry ALTER CONSTRAINT ledger_entry_tenant_id_currency_debit_account_fkey
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger_entry ALTER CONSTRAINT ledger_entry_tenant_id_currency_credit_account_fkey
  DEFERRABLE INITIALLY DEFERRED;
