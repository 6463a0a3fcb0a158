-- An event of a bank that the worker has given up waits for a person, so that it keeps no file from being concluded.
ALTER TABLE bank_stray_answer
  DROP CONSTRAINT bank_stray_answer_kind_check,
  ADD CONSTRAINT bank_stray_answer_kind_check CHECK (
    kind IN ('message', 'batch', 'payment', 'return', 'change', 'other_account', 'account_currency', 'event')
  );
