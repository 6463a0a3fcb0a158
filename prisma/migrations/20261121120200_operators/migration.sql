-- ── Operators in psql: views to read, functions to act, and a log of everything done. ──
-- The migrating role makes the two group roles, so it needs CREATEROLE; a person gets a login role
-- of their own: CREATE ROLE ada LOGIN PASSWORD '…' IN ROLE ops_operate.

DO $$
BEGIN
  -- Roles belong to the cluster: another database of it may have made them, even at this moment.
  BEGIN
    CREATE ROLE ops_read NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  BEGIN
    CREATE ROLE ops_operate NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role('ops_operate', 'ops_read', 'MEMBER') THEN
    BEGIN
      GRANT ops_read TO ops_operate;
    EXCEPTION WHEN unique_violation OR internal_error THEN NULL; -- granted at the same moment
    END;
  END IF;
END
$$;

CREATE SCHEMA ops;
REVOKE ALL ON SCHEMA ops FROM PUBLIC;
GRANT USAGE ON SCHEMA ops TO ops_read, ops_operate;

-- Who did what from SQL. Each function of this schema that acts writes its line in its own transaction.
CREATE TABLE ops.action_log (
  id         uuid PRIMARY KEY DEFAULT uuidv7(),
  at         timestamptz(3) NOT NULL DEFAULT now(),
  -- session_user: the person's login role, also inside a SECURITY DEFINER function.
  who        text NOT NULL DEFAULT session_user,
  action     text NOT NULL,
  tenant_id  text COLLATE "C",
  subject_id text COLLATE "C",
  reason     text NOT NULL,
  detail     jsonb NOT NULL DEFAULT '{}',
  affected   integer NOT NULL,
  -- What became of an action that the worker carries out; null until it has.
  outcome    text,
  outcome_at timestamptz(3)
);
CREATE INDEX action_log_subject_id_idx ON ops.action_log (subject_id, id) WHERE subject_id IS NOT NULL;
