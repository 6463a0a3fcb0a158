import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { acrossSchema } from './across.ts';
import { commandSchema } from './command.ts';
import { raiseWall } from './policies.ts';
import { tableRights, type TableRights } from './table-rights.ts';

/** The group role with the rights that the API and the worker need, and no others. */
export const serviceRole = 'payouts_service';

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly quoted: string;
  readonly columns: string[];
  /** A table of graphile-worker has row security, and no policy for the service yet. */
  readonly closed: boolean;
}

/** The tables and views that the service uses; of the schema `ops` only the log and the confirmations. */
const relations = `
  SELECT n.nspname AS schema, c.relname AS name, format('%I.%I', n.nspname, c.relname) AS quoted,
    ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
    n.nspname = 'graphile_worker' AND c.relrowsecurity AND NOT EXISTS (
      SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${serviceRole}'
    ) AS closed
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v')
    AND (n.nspname IN ('public', 'graphile_worker', '${acrossSchema}') OR (n.nspname = 'ops' AND c.relname IN ('action_log', 'order_confirmation')))
  ORDER BY 1, 2`;

/**
 * Gives the service's role the rights that table-rights.ts states, on new tables too, and withdraws default
 * rights of everybody that nobody needs. Each run of `migrate` ends with it, in a transaction of its own.
 *
 * @returns a sentence for each thing that the migrating role has no right to do
 */
export async function grantRights(client: ClientBase): Promise<string[]> {
  await client.query('BEGIN');
  try {
    await client.query(createRole);
    const { rows } = await client.query<Relation>(relations);
    await client.query(serviceGrants(rows).join(';\n'));
    await raiseWall(client, serviceRole);
    await client.query(withdrawn);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  const { rows } = await client.query<{ problem: string }>(leftOpen);
  return rows.map(({ problem }) => problem);
}

/** Roles belong to the cluster: another of its databases may make this role at the same moment. */
const createRole = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${serviceRole}') THEN
      CREATE ROLE ${serviceRole} NOLOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$`;

/**
 * The functions of `ops` that the service calls, as PostgreSQL writes them. Those that erase, and what operators
 * read and do across tenants, run with the rights of the tables' owner; the others with the service's.
 */
export const serviceFunctions = [
  'ops.waiting_resolution(text)',
  'ops.is_contradicted(text,text)',
  'ops.note_finding(text,uuid,text,uuid)',
  'ops.bank_batch_by_hand(text,text[])',
  'ops.bank_batch_refusal(text,text,text)',
  'ops.debit_is_late(text)',
  'ops.debit_is_missing(text,text)',
  'ops.note_bank_batch(text,text,text,text)',
  'ops.reopen_bank_file(text,text)',
  'ops.reopen_bank_files_like(text,text)',
  'ops.relay_jobs(text,integer,integer,integer)',
  'ops.relay_batch(text,integer,integer,integer,boolean)',
  'ops.add_relayed(job_outbox[],integer)',
  'ops.clear_outbox(integer)',
  'ops.changes_horizon()',
  'ops.reach()',
  'ops.pull_back_schedules()',
  'ops.schedule_overdue()',
  'ops.due_jobs(integer[],integer)',
  'ops.lives(worker_heartbeat)',
  'ops.worker_silence()',
  'ops.person_of(text)',
  'ops.stuck_by_reason(interval,integer)',
  'ops.stuck_payouts_page(text,timestamp with time zone,text,integer)',
  'ops.open_contradictions_page(text,uuid,integer)',
  'ops.resolutions_page(text,uuid,integer)',
  'ops.bank_batches_page(text,text,integer)',
  'ops.bank_connections_page(text,text,integer)',
  'ops.bank_batches_read(text,text,text,boolean,text,integer)',
  'ops.bank_lines_page(text,text,integer)',
  'ops.bank_stray_answers_page(text,text,integer)',
  'ops.bank_payments_page(text,integer,integer)',
  'ops.bank_missing_debits_page(text,text,integer)',
  'ops.bank_unreadable_files_page(text,text,integer)',
  'ops.tasks_page(integer)',
  'ops.jobs_page(text,text,text,text,bigint,integer)',
  'ops.dead_letters_page(text,text,timestamp with time zone,text,integer)',
  'ops.workers_page()',
  'ops.providers_page()',
  'ops.endpoints_page(text,timestamp with time zone,text,integer)',
  'ops.actions_page(text,text,uuid,integer)',
  'ops.payout_by_id(text,text)',
  'ops.payout_standstill(text,text)',
  'ops.payout_attempts(text,text,integer)',
  'ops.payout_timeline(text,text,integer)',
  'ops.contradictions_of_payout(text,text,integer)',
  'ops.payout_resolution(text,text)',
  'ops.find_page(text,integer)',
  'ops.pause_task_by(text,text,text)',
  'ops.resume_task_by(text,text,text)',
  'ops.retry_job_by(text,bigint,text)',
  'ops.schedule_by(text,text,text,timestamp with time zone,text)',
  'ops.resend_mail_by(text,uuid,text)',
  'ops.replay_dead_letters_by(text,text,timestamp with time zone,timestamp with time zone,text,boolean,integer,interval,text)',
  'ops.erase_payee(text,text,jsonb,text)',
  'ops.clear_erased_payees(text,text,integer)',
  'ops.forget_step_ups(integer)',
  'ops.payees_named(text,text,integer,boolean)',
] as const;

function serviceGrants(found: readonly Relation[]): string[] {
  const schemas = [...new Set(found.map(({ schema }) => escapeIdentifier(schema)))];
  const all = schemas.join(', ');
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${all} FROM ${serviceRole}`,
    `GRANT USAGE ON SCHEMA ${all} TO ${serviceRole}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${all} TO ${serviceRole}`,
    ...found.map(grantOf),
    ...found
      .filter(({ closed }) => closed)
      .map(
        ({ quoted }) => `CREATE POLICY ${serviceRole} ON ${quoted} TO ${serviceRole} USING (true)`,
      ),
    ...(schemas.includes('"ops"')
      ? [
          `GRANT USAGE ON SCHEMA ${commandSchema} TO ${serviceRole}`,
          // On Citus every role may call a command on a node, where it runs with the caller's rights. Citus carries no
          // rights to functions that share a type with a view of the coordinator. Elsewhere the setting means nothing.
          'SET LOCAL citus.enable_ddl_propagation = off',
          `GRANT EXECUTE ON FUNCTION ${serviceFunctions.join(', ')} TO ${serviceRole}`,
          `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${commandSchema} TO ${serviceRole}`,
          'SET LOCAL citus.enable_ddl_propagation = on',
        ]
      : []),
  ];
}

function grantOf(relation: Relation): string {
  return `GRANT ${rightsOn(relation).join(', ')} ON ${relation.quoted} TO ${serviceRole}`;
}

function rightsOn({ schema, name, columns }: Relation): string[] {
  if (schema === 'graphile_worker') {
    return name === 'migrations' ? ['SELECT'] : ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
  }
  if (schema === acrossSchema) return ['SELECT'];
  const rights: TableRights = tableRights[`${schema}.${name}`] ?? {};
  if (rights.readOnly === true) return ['SELECT'];
  const changed =
    rights.changes ?? columns.filter((column) => !(rights.fixed ?? []).includes(column));
  return [
    'SELECT',
    ...(rights.ownersRows === true ? [] : ['INSERT']),
    ...(changed.length === 0 ? [] : [`UPDATE (${changed.join(', ')})`]),
    ...(rights.deletes === true ? ['DELETE'] : []),
  ];
}

/**
 * The functions of PostgreSQL by which everybody may write without a right to a table: large objects, and messages into
 * the write-ahead log. They belong to the superuser who made the cluster, so no other role can withdraw them.
 */
const writers = `
  SELECT p.oid::regprocedure AS name FROM pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::regnamespace
    AND (p.proname LIKE 'lo\\_%' OR p.proname IN ('loread', 'lowrite', 'pg_logical_emit_message'))
    AND has_function_privilege('public', p.oid, 'EXECUTE')`;

/**
 * Withdraws rights that PostgreSQL gives to every role by default: temporary tables and the functions above, which
 * can fill the disk, and the names in the schema `public`, by which a transaction could lock a table that it
 * may not read. Also sets limits that end a forgotten transaction or an endless statement in psql. The
 * logins of the service have limits of their own (limits.ts), and the migrating role has none.
 *
 * The migrating role may lack the right to some of this. PostgreSQL then warns or fails, and the rest is done
 * all the same.
 */
const withdrawn = `
  DO $$
  DECLARE
    place text := quote_ident(current_database());
    statement text;
  BEGIN
    FOREACH statement IN ARRAY ARRAY[
      format('REVOKE TEMPORARY, CREATE ON DATABASE %s FROM PUBLIC', place),
      'REVOKE ALL ON SCHEMA public FROM PUBLIC',
      format('ALTER DATABASE %s SET statement_timeout = ''5min''', place),
      format('ALTER DATABASE %s SET idle_in_transaction_session_timeout = ''1min''', place),
      format('ALTER ROLE CURRENT_USER IN DATABASE %s SET statement_timeout = 0', place),
      format('ALTER ROLE CURRENT_USER IN DATABASE %s SET idle_in_transaction_session_timeout = 0', place)
    ] || ARRAY(
      SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', w.name) FROM (${writers}) w
    ) LOOP
      BEGIN
        EXECUTE statement;
      EXCEPTION WHEN insufficient_privilege THEN NULL;
      END;
    END LOOP;
  END $$`;

const leftOpen = `
  SELECT problem FROM (VALUES
    (has_database_privilege('public', current_database(), 'TEMPORARY'),
      'Every role may make temporary tables. As the owner of the database: REVOKE TEMPORARY ON DATABASE ' || quote_ident(current_database()) || ' FROM PUBLIC;'),
    (has_schema_privilege('public', 'public', 'USAGE'),
      'Every role may name the tables of the service. As the owner of the schema: REVOKE ALL ON SCHEMA public FROM PUBLIC;'),
    (EXISTS (${writers}),
      'Every role may fill the disk with large objects or messages in the write-ahead log. As a superuser: REVOKE EXECUTE ON FUNCTION '
        || (SELECT string_agg(w.name::text, ', ' ORDER BY w.name::text) FROM (${writers}) w) || ' FROM PUBLIC;'),
    (NOT EXISTS (
        SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0 AND s.setconfig::text LIKE '%idle_in_transaction_session_timeout%'
      ),
      'A transaction that somebody forgets in psql is never ended. As the owner of the database: ALTER DATABASE ' || quote_ident(current_database()) || ' SET idle_in_transaction_session_timeout = ''1min'';')
  ) AS checks (open, problem)
  WHERE open`;
