-- An operator's link to a production key may wait for a second operator, too.
ALTER TABLE proposed_change
  DROP CONSTRAINT proposed_change_kind_check,
  ADD CONSTRAINT proposed_change_kind_check CHECK (kind IN (
    'bank_connect', 'bank_connection_change', 'routes_replace', 'production_key', 'member_invitation', 'webhook_address'
  ));
