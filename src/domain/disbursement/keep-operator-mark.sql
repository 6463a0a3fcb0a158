-- Part of other commands: takes the mark of an attempt that waits for a person, unless a contradiction is open;
-- returns whether it stays. The caller has changed the attempt before, and so holds its row. This is a statement of
-- its own: it sees a contradiction that was committed while the caller's statement waited for the row, which that
-- one does not.
CREATE OR REPLACE FUNCTION command.keep_operator_mark(
  _tenant text,
  _attempt text
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  UPDATE public.disbursement_attempt AS a SET needs_operator = false
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND NOT EXISTS (
    SELECT 1 FROM public.provider_contradiction c
    WHERE c.tenant_id = _tenant AND c.subject_id = _attempt AND c.finding IS NULL
  );
  RETURN NOT FOUND;
END
$$;
