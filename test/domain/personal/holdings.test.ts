import { expect, it } from 'vitest';
import { encryptedColumns } from '../../../src/domain/encryption/columns.ts';
import { holdings } from '../../../src/domain/personal/holdings.ts';
import { useCalls } from '../../support/calls.ts';

const parts = useCalls();

/** The tables in which nothing about a payee is written, with what they hold instead. */
const withoutPayees: Readonly<Record<string, string>> = {
  balance_report: 'amounts',
  bank_connection: 'the account of a business at its bank',
  bank_fetch: 'times, and errors in our words',
  bank_file_chunk: 'pieces of bank_file, encrypted',
  bank_line: 'amounts, codes and references',
  bank_match: 'ids and amounts',
  bank_payment: 'ids and references',
  bank_report: 'codes and references of a file until it is applied',
  bank_sequence: 'counts',
  bank_statement: 'balances',
  bank_stray_answer: 'amounts, codes and references',
  bank_waiting: 'ids',
  approval_delegation: 'the people of a business, by ids',
  approval_expiry: 'ids and times',
  approval_stuck: 'ids and times',
  approval_group: 'the people of a business, by ids',
  approval_policy: 'rules of a business',
  approval_policy_draft: 'rules of a business',
  step_up: 'what the people of a business signed, by ids and amounts',
  step_up_item: 'what the people of a business signed, by ids and amounts',
  payout_requirement: 'rules that held, by number, and ids',
  access_change: 'settings, members and keys of a business',
  api_key: 'keys of members',
  app_user: 'the people of a business',
  business: 'the business',
  collection_branding: 'how a business looks',
  export: 'who asked for a file and how it is filtered, by ids',
  export_chunk: 'files of exports, which an erasure or EXPORT_LIFETIME_HOURS ends',
  export_schedule: 'a filter, by ids',
  funding_account: 'the balance of a business',
  job_outbox: 'jobs, by ids',
  payout_outcome: 'counts of all tenants',
  payout_outcome_mark: 'a time',
  relayed_job: 'ids of jobs',
  ledger_account: 'names of accounts',
  ledger_balance: 'amounts',
  ledger_carry_over: 'ids',
  ledger_entry: 'amounts and ids',
  ledger_mode: 'a switch',
  encryption_key: 'ids of encryption keys, and a known text under each',
  write_probe: 'nothing; it stays empty',
  lookup_key: 'the key of the hashes, encrypted',
  member_invitation: 'the people of a business',
  member_link: 'hashes',
  membership: 'the people of a business',
  operator_action: 'what operators did, by ids; their reasons name no payee',
  operator_key: 'keys of operators',
  operator_user: 'the people who run the platform',
  oidc_identity: 'names under which a company knows people of a business',
  passkey: 'public keys of people of a business',
  passkey_challenge: 'hashes, for minutes',
  paused_task: 'names of tasks',
  payout_idempotency: 'hashes, for IDEMPOTENCY_HOURS',
  creation_key: 'ids and hashes, for IDEMPOTENCY_HOURS',
  payout_permitted_transition: 'the state machine',
  payout_route: 'which provider pays what',
  payout_routing: 'a version',
  personal_data_record: 'ids',
  provider_contradiction: 'amounts, codes and ids',
  rate_limit: 'ids, addresses of callers and hashes of mailboxes, for a day at most',
  installation: 'whether there are two operators',
  proposed_change: 'connections, routes and keys of a business',
  registration_link: 'hashes',
  registration_proof: 'the people of a business, or who wanted to register one',
  schema_migration: 'names of migrations',
  schema_repeatable: 'names of files',
  schema_repeatable_set: 'digests of files',
  name_check_policy: 'settings of a business',
  screening_policy: 'settings of a business, and how far its payees are screened',
  sign_in_link: 'hashes',
  sign_in_request: 'ids',
  tenant: 'ids',
  user_session: 'browsers of the people of a business',
  watchlist_entry: 'published lists of sanctions, or the list of the platform',
  watchlist_name: 'published lists of sanctions, or the list of the platform',
  watchlist_posting: 'pieces of names of published lists',
  watchlist_version: 'dates and counts of published lists',
  webhook_address: 'the endpoint of a business',
  webhook_delivery: 'ids and times',
  webhook_endpoint_failure: 'answers of an endpoint, by its subscription',
  webhook_subscription: 'the endpoint of a business',
  worker_heartbeat: 'workers',
};

/** A file holds the payments of many payees. Bookkeeping keeps what was ordered from a bank, encrypted. */
const keptWhole = new Set(['bank_batch', 'bank_file']);

it('says of every table whether it holds something about a payee', async () => {
  const { rows } = await parts.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const declared = [
    ...new Set([
      ...Object.keys(withoutPayees),
      ...holdings.map(({ table }) => table.split('.')[1] ?? ''),
    ]),
  ].filter((name) => name !== '_private_jobs');
  expect(
    declared.toSorted(),
    'add the table to src/domain/personal/holdings.ts, or to the list here',
  ).toEqual(rows.map(({ name }) => name));
});

it('deletes or clears every encrypted column of a payee', () => {
  const ofPayees = encryptedColumns.filter(
    ({ table, tenant }) => tenant !== null && !(table in withoutPayees) && !keptWhole.has(table),
  );
  for (const { table, column } of ofPayees) {
    const holding = holdings.find((one) => one.table === `public.${table}`);
    const gone = holding?.deleted === 'always' || holding?.clears[column] === 'NULL';
    expect(gone, `${table}.${column}`).toBe(true);
  }
});
