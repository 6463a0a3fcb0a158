-- ── The commands: functions of the service, each in a file beside its domain code (src/domain). ──
-- They are made before this file. They are replaced and never dropped, since the previous version calls them during a
-- migration, and from the commit on they may call new ones. They run with the rights of the service, which alone may call
-- them (src/db/roles.ts).

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA command FROM PUBLIC;

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'payouts_service') THEN
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA command TO payouts_service;
  END IF;
END $$;
