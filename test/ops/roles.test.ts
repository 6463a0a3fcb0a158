import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { makeOperator, type Operator } from './support.ts';

let database: TestDatabase;
let reader: Operator;
let operator: Operator;
beforeAll(async () => {
  database = await testDatabase();
  reader = await makeOperator(database, 'ops_read');
  operator = await makeOperator(database, 'ops_operate');
});
afterAll(async () => {
  await reader.leave();
  await operator.leave();
  await database.drop();
});

const denied = '42501';

async function owner<R extends object>(text: string): Promise<R[]> {
  return (await database.pool.query(text)).rows as R[];
}

const relations = () =>
  owner<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'v', 'S', 'm', 'p')`,
  );

const functionsOf = (who: string) =>
  owner<{ name: string }>(
    `SELECT p.proname AS name FROM pg_proc p
     WHERE p.pronamespace = 'ops'::regnamespace AND has_function_privilege('${who}', p.oid, 'EXECUTE')
     ORDER BY p.proname`,
  );

const reading = [
  'bank_batch_by_hand',
  'bank_batch_step',
  'crontab_now',
  'debit_is_late',
  'deliveries_of',
  'find',
  'find_stuck_payouts',
  'jobs_now',
  'one_line',
  'provider_health_now',
  'queue_now',
  'span_text',
  'taken_by',
  'taken_line',
  'timeline',
  'without_addresses',
  'workers_now',
];

const acting = [
  'cancel_job',
  'cancel_jobs',
  'close_bank_batches',
  'confirm_resolution',
  'decline_change',
  'decline_resolution',
  'dismiss_bank_file',
  'end_export_schedule',
  'erase_beneficiary',
  'examine_contradiction',
  'explain_bank_answer',
  'explain_bank_line',
  'look_up_payout',
  'match_bank_line',
  'pause_task',
  'read_bank_file_again',
  'record_bank_upload',
  'release',
  'release_worker',
  'replace_routes',
  'replay_dead_letters',
  'resend_mail',
  'reset_schedules',
  'resolve_bank_batch',
  'resolve_payout',
  'resume_task',
  'retry_job',
  'retry_jobs',
  'schedule',
  'schedule_export',
  'set_bank_connection_status',
  'take',
];

describe('what the roles may not', () => {
  it('is any table, view or sequence of public and of graphile-worker', async () => {
    const all = await relations();
    expect(all.length).toBeGreaterThan(30);
    for (const { name } of all) {
      for (const person of [reader, operator]) {
        expect(await person.refusal(`SELECT * FROM ${name}`), name).toMatchObject({ code: denied });
        expect(await person.refusal(`DELETE FROM ${name}`), name).toMatchObject({ code: denied });
      }
    }
  });

  it('is to change, delete or write the record of what was done', async () => {
    for (const person of [reader, operator]) {
      for (const text of [
        `UPDATE ops.action_log SET who = 'eve'`,
        'DELETE FROM ops.action_log',
        'TRUNCATE ops.action_log',
        `INSERT INTO ops.action_log (action, reason, affected) VALUES ('x', 'y', 0)`,
        `UPDATE ops.task SET not_by_hand = NULL`,
      ]) {
        expect(await person.refusal(text), text).toMatchObject({ code: denied });
      }
    }
  });

  it('is to become somebody else', async () => {
    const [row] = await owner<{ name: string }>('SELECT current_user AS name');
    for (const person of [reader, operator]) {
      for (const text of [
        `SET ROLE ${row?.name ?? ''}`,
        `SET SESSION AUTHORIZATION ${row?.name ?? ''}`,
        'CREATE SCHEMA trick',
        'CREATE TABLE public.trick ()',
        'CREATE TABLE ops.trick ()',
        'CREATE ROLE trick',
      ]) {
        expect(await person.refusal(text), text).toMatchObject({ code: denied });
      }
    }
    expect(await reader.refusal('SET ROLE ops_operate')).toMatchObject({ code: denied });
  });

  it('is, for who only reads, any function that acts', async () => {
    for (const text of [
      `SELECT ops.schedule('reconcile_payouts', NULL, now(), 'why')`,
      `SELECT ops.retry_job(1, 'why')`,
      `SELECT ops.retry_jobs('disburse_payout')`,
      `SELECT ops.cancel_job(1, 'why')`,
      `SELECT ops.cancel_jobs('disburse_payout')`,
      `SELECT ops.pause_task('disburse_payout', 'why')`,
      `SELECT ops.resume_task('disburse_payout', 'why')`,
      `SELECT ops.release_worker('wrk_x', 'why')`,
      `SELECT ops.schedule_export('ten_x', 'transactions', reason => 'why')`,
      `SELECT ops.end_export_schedule(gen_random_uuid(), 'why')`,
      `SELECT ops.look_up_payout('pay_x', 'why')`,
      `SELECT ops.resolve_payout('pay_x', 'paid', 'po', 'seen', 'why')`,
      `SELECT ops.resend_mail(gen_random_uuid(), 'why')`,
      `SELECT ops.confirm_resolution(gen_random_uuid(), 'why')`,
      `SELECT ops.decline_resolution(gen_random_uuid(), 'why')`,
      `SELECT ops.take('pay_x', 'why')`,
      `SELECT ops.release('pay_x', 'why')`,
    ]) {
      expect(await reader.refusal(text), text).toMatchObject({ code: denied });
    }
  });

  it('is the inner functions, whose callers check what they are given', async () => {
    for (const text of [
      `SELECT ops.record('x', NULL, NULL, 'why', '{}', 1)`,
      `SELECT ops.end_jobs('{1}', 'why')`,
      `SELECT ops.lock_job(1)`,
      `SELECT ops.locate('pay_x')`,
      `SELECT ops.order_payout('look_up_payout', 'pay_x', 'ten_x', '{}', 'why')`,
    ]) {
      expect(await operator.refusal(text), text).toMatchObject({ code: denied });
    }
  });
});

describe('what the roles may', () => {
  it('is to execute these functions and no others', async () => {
    const outside = new Set([...reading, ...acting]);
    // On Citus a view of tenants' rows is made of a function that gives the same rows.
    const names = async (who: string) =>
      (await functionsOf(who))
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('rows_of_'));
    expect(await names('ops_read')).toEqual(reading);
    const ofOperators = await names('ops_operate');
    expect(ofOperators).toEqual(expect.arrayContaining([...outside]));
    // What other migrations add for operators is recorded as well.
    for (const name of ofOperators.filter((one) => !outside.has(one))) {
      const [source] = await owner<{ body: string }>(
        `SELECT prosrc AS body FROM pg_proc WHERE proname = '${name}' AND pronamespace = 'ops'::regnamespace`,
      );
      expect(source?.body, name).toContain('action_log');
    }
  });

  it('is nothing through PUBLIC', async () => {
    const open = await owner(
      `SELECT p.proname FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
       WHERE p.pronamespace = 'ops'::regnamespace AND a.grantee = 0`,
    );
    expect(open).toEqual([]);
  });

  it('is to read every view', async () => {
    const views = await owner<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind IN ('v', 'r')`,
    );
    expect(views.length).toBeGreaterThan(12);
    for (const { name } of views) {
      await expect(reader.sql(`SELECT * FROM ops.${name}`), name).resolves.toBeInstanceOf(Array);
      await expect(operator.sql(`SELECT * FROM ops.${name}`), name).resolves.toBeInstanceOf(Array);
    }
  });
});

describe('functions', () => {
  it('have a fixed search path, all but those whose names PostgreSQL looked up when it made them', async () => {
    const loose = await owner(
      `SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ops'::regnamespace
       AND (p.prosqlbody IS NULL OR p.prosecdef)
       AND NOT coalesce(p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'], false)`,
    );
    expect(loose).toEqual([]);
  });

  it('are not misled by what an operator puts into their way', async () => {
    const client = await operator.session();
    await client.query(`
      CREATE TEMP TABLE task (name text, not_by_hand text);
      CREATE TEMP TABLE paused_task (task text, paused_by text, reason text, paused_at timestamptz);
      CREATE TEMP TABLE action_log (id uuid, who text, action text, reason text, affected int);
      CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql RETURN '2000-01-01'::timestamptz;
      CREATE FUNCTION pg_temp.btrim(text) RETURNS text LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'misled as %', current_user; END $$;
      SET search_path = pg_temp, ops, public, pg_catalog`);
    await client.query(`SELECT * FROM ops.pause_task('rotate_keys', '  why  ')`);
    const [paused] = await owner('SELECT task, paused_by, reason FROM public.paused_task');
    expect(paused).toEqual({ task: 'rotate_keys', paused_by: operator.name, reason: 'why' });
    await client.query(`SELECT * FROM ops.resume_task('rotate_keys', 'why')`);
    const done = await owner(
      "SELECT who, action, reason FROM ops.action_log WHERE at > now() - interval '1 hour' ORDER BY id",
    );
    expect(done).toEqual([
      { who: operator.name, action: 'pause_task', reason: 'why' },
      { who: operator.name, action: 'resume_task', reason: 'why' },
    ]);
  });

  it('record who signed in, also under another role', async () => {
    const client = await operator.session();
    await client.query('SET ROLE ops_operate');
    await client.query(`SELECT * FROM ops.pause_task('sweep_webhooks', 'why')`);
    const [line] = await owner('SELECT who FROM ops.action_log ORDER BY id DESC LIMIT 1');
    expect(line).toEqual({ who: operator.name });
    await client.query(`SELECT * FROM ops.resume_task('sweep_webhooks', 'why')`);
  });

  it('leave no line behind what was rolled back', async () => {
    const client = await operator.session();
    const before = await owner('SELECT count(*) FROM ops.action_log');
    await client.query('BEGIN');
    await client.query(`SELECT * FROM ops.pause_task('sweep_webhooks', 'why')`);
    await client.query('ROLLBACK');
    expect(await owner('SELECT count(*) FROM ops.action_log')).toEqual(before);
    expect(await owner('SELECT * FROM public.paused_task')).toEqual([]);
  });
});
