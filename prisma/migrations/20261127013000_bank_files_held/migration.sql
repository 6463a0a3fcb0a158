-- A file that an operator brings to production waits for a second operator, where the installation has two. One that the
-- second operator declines is dismissed without having been read, so it has no problem.
ALTER TABLE bank_file
  DROP CONSTRAINT bank_file_status_check,
  ADD CONSTRAINT bank_file_status_check
    CHECK (status IN ('arriving', 'waiting', 'received', 'read', 'unreadable', 'dismissed')),
  DROP CONSTRAINT bank_file_problem_check,
  ADD CONSTRAINT bank_file_problem_check CHECK (
    CASE status WHEN 'unreadable' THEN problem IS NOT NULL WHEN 'dismissed' THEN true ELSE problem IS NULL END
  );

-- So does a movement that an operator matches by hand.
ALTER TABLE proposed_change
  DROP CONSTRAINT proposed_change_kind_check,
  ADD CONSTRAINT proposed_change_kind_check CHECK (kind IN (
    'bank_connect', 'bank_connection_change', 'routes_replace', 'production_key', 'member_invitation', 'bank_file_take',
    'bank_line_match', 'webhook_address'
  ));
