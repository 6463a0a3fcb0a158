import { z } from 'zod';
import { simulatedEvents } from '../values/simulated-event.ts';

/** What is said of a task: the payload of its jobs, and how operators see it. */
interface Declaration<P extends z.ZodObject> {
  /** Holds ids only: operators and logs see a job, so no detail of a payee may travel in one. */
  readonly payload: P;
  /** What the task does, in a sentence for operators. */
  readonly description: string;
  /** The kind of thing that a job is about; absent for a task that is about no single thing. */
  readonly subject?: {
    /** As `ops.locate` names the kinds of ids. */
    readonly kind: string;
    /** Its id in the payload. */
    readonly field: keyof z.infer<P> & string;
    /** The states in which the task does anything; absent for any. */
    readonly states?: readonly string[];
  };
  /** The key of a job that waits: this text, and then these ids of its payload. */
  readonly key?: {
    readonly prefix: string;
    readonly fields: readonly (keyof z.infer<P> & string)[];
  };
  /** Of the jobs that are due those with the smaller number run first; 0 where it is absent. */
  readonly priority?: number;
  /** When the clock adds a job, in the five fields of a crontab (UTC); absent for never. */
  readonly clock?: string;
  /** Why operators cannot add a job with `ops.schedule`, and what does it instead. */
  readonly notByHand?: string;
}

const task = <P extends z.ZodObject>(declaration: Declaration<P>) => declaration;

const everyMinute = '* * * * *';
const nothing = z.object({});

/** A task without a payload that the clock adds each minute. */
const eachMinute = (prefix: string, description: string) =>
  task({ payload: nothing, description, key: { prefix, fields: [] }, clock: everyMinute });

const count = z.number().int().min(0);
const operatorOrder = z.object({
  tenantId: z.string(),
  payoutId: z.string(),
  /** The row of ops.action_log that holds the order. */
  actionId: z.uuid(),
});

/** Mails go after what moves money. */
export const mailPriority = 10;

/** What goes through all payees of a tenant leaves the workers to everything else. */
const backgroundPriority = 20;

/**
 * Every task of the worker. The types of payloads, the crontab and the rows of `ops.task` follow from
 * this table; `jobs/handlers.ts` says what each task does.
 *
 * A task of the clock has a key of its own, so that a task that is paused, or slower than its clock,
 * has one job that waits and not many: a new one replaces it. A task that adds jobs of its own kind
 * does so under another key.
 */
export const tasks = {
  apply_provider_event: task({
    payload: z.object({ provider: z.string(), eventId: z.string() }),
    description: 'Applies a stored event of a provider, and those that were stored with it.',
    subject: { kind: 'provider event', field: 'eventId', states: ['received', 'unmatched'] },
    key: { prefix: 'apply ', fields: ['provider', 'eventId'] },
  }),
  apply_bank_file: task({
    payload: z.object({ tenantId: z.string(), fileId: z.string() }),
    description: 'Matches what a file of a bank says with the payments, and tells them.',
    subject: { kind: 'bank file', field: 'fileId' },
    key: { prefix: 'apply_bank_file ', fields: ['fileId'] },
  }),
  carry_over_ledger: eachMinute(
    'clock_carry_over_ledger',
    'Books what payouts imply that moved before the ledger was there.',
  ),
  close_bank_batch: task({
    payload: z.object({
      tenantId: z.string(),
      connectionId: z.string(),
      /** An operator wants a file of everything that waits. */
      onRequest: z.literal(true).exactOptional(),
    }),
    description: 'Makes the files of a bank connection that are due.',
    subject: { kind: 'bank connection', field: 'connectionId' },
    key: { prefix: 'close batch ', fields: ['connectionId'] },
  }),
  count_outcomes: eachMinute(
    'clock_count_outcomes',
    'Counts how payouts have ended, for the metrics.',
  ),
  delete_expired: task({
    payload: nothing,
    description: 'Deletes what is kept for a limited time.',
    key: { prefix: 'clock_delete_expired', fields: [] },
    clock: '41 * * * *',
  }),
  deliver_webhook: task({
    payload: z.object({
      tenantId: z.string(),
      deliveryId: z.string(),
      /** Deliveries of the same transaction, which are sent after it. */
      others: z.array(z.string()).exactOptional(),
      /** Part of a replay: the tenant's other deliveries go first. */
      replay: z.literal(true).exactOptional(),
    }),
    description:
      'Makes one attempt of a webhook delivery, and of those that were recorded with it.',
    subject: { kind: 'delivery', field: 'deliveryId', states: ['pending'] },
    key: { prefix: '', fields: ['deliveryId'] },
  }),
  disburse_payout: task({
    payload: z.object({ tenantId: z.string(), payoutId: z.string() }),
    description: 'Hands an approved payout to the provider.',
    subject: { kind: 'payout', field: 'payoutId', states: ['approved'] },
    key: { prefix: 'disburse ', fields: ['payoutId'] },
  }),
  enroll_bank_account: task({
    payload: z.object({ tenantId: z.string(), enrollmentId: z.string() }),
    description: 'Registers a bank account with the provider.',
    subject: { kind: 'enrollment', field: 'enrollmentId', states: ['pending'] },
    key: { prefix: '', fields: ['enrollmentId'] },
  }),
  erase_beneficiary: task({
    payload: z.object({
      tenantId: z.string(),
      beneficiaryId: z.string(),
      /** The row of ops.action_log that holds the order. */
      actionId: z.uuid(),
    }),
    description: 'Erases the personal data of a payee, as an operator ordered.',
    subject: { kind: 'beneficiary', field: 'beneficiaryId' },
    notByHand: 'It needs a ground: use ops.erase_beneficiary(beneficiary, ground, reason).',
  }),
  expire_approvals: eachMinute(
    'clock_expire_approvals',
    'Brings payouts whose approval was not completed in time back to its first step.',
  ),
  expire_collection_requests: eachMinute(
    'expire_collection_requests',
    'Ends collection links whose time is over.',
  ),
  fetch_bank_files: eachMinute(
    'clock_fetch_bank_files',
    'Adds a job for each bank connection that fetches its files, and the lost jobs of files that arrived.',
  ),
  fetch_connection_files: task({
    payload: z.object({ tenantId: z.string(), connectionId: z.string() }),
    description: 'Fetches the files that a bank has put out for a connection.',
    subject: { kind: 'bank connection', field: 'connectionId' },
    key: { prefix: 'fetch_connection_files ', fields: ['connectionId'] },
  }),
  fetch_watchlists: task({
    payload: nothing,
    description: 'Fetches the lists of sanctions whose addresses the settings have.',
    key: { prefix: 'clock_fetch_watchlists', fields: [] },
    clock: '23 */6 * * *',
  }),
  fund_sandbox_wallet: task({
    payload: z.object({ tenantId: z.string() }),
    description: 'Gives a sandbox wallet its test money.',
    subject: { kind: 'tenant', field: 'tenantId', states: ['sandbox'] },
    key: { prefix: 'fund_sandbox_wallet:', fields: ['tenantId'] },
  }),
  look_up_payout: task({
    payload: operatorOrder,
    description: 'Asks the provider about a payout, as an operator ordered.',
    subject: { kind: 'payout', field: 'payoutId' },
  }),
  match_bank_line: task({
    payload: z.object({
      tenantId: z.string(),
      lineId: z.string(),
      /** The row of ops.action_log that holds the order. */
      actionId: z.uuid(),
    }),
    description: 'Matches a line of a bank by hand, as an operator ordered.',
    subject: { kind: 'bank line', field: 'lineId' },
    notByHand: 'It needs a payment: use ops.match_bank_line(line, payout_or_batch, reason).',
  }),
  read_bank_file: task({
    payload: z.object({ tenantId: z.string(), fileId: z.string() }),
    description: 'Reads a file of a bank.',
    subject: { kind: 'bank file', field: 'fileId' },
    key: { prefix: 'read_bank_file ', fields: ['fileId'] },
  }),
  reconcile_payouts: eachMinute(
    'reconcile_payouts',
    'Adds the lost jobs of payouts, enrollments, releases and provider events again, and asks providers that are silent.',
  ),
  release_payouts: task({
    payload: z.object({ tenantId: z.string(), beneficiaryId: z.string() }),
    description:
      'Releases the payouts that a suspension or a screening of their payee held, once it is over.',
    subject: { kind: 'beneficiary', field: 'beneficiaryId', states: ['pending', 'compliant'] },
    key: { prefix: 'release ', fields: ['beneficiaryId'] },
  }),
  resolve_payout: task({
    payload: operatorOrder,
    description:
      'Records the outcome of a payout that only an operator knows, as the operator ordered.',
    subject: { kind: 'payout', field: 'payoutId' },
    notByHand:
      'It needs an outcome and evidence: use ops.resolve_payout(payout, outcome, provider_payout_id, evidence, reason).',
  }),
  rotate_keys: task({
    payload: z.object({
      /** Null starts a pass over all ciphertexts; otherwise how far it has come and what it did. */
      pass: z
        .object({
          column: z.string(),
          after: z.array(z.string()),
          reencrypted: count,
          missed: count,
          unreadable: count,
        })
        .nullable()
        .default(null),
    }),
    description:
      'Encrypts with the first key what another key of the keyring encrypted, and what lies in clear.',
    key: { prefix: 'clock_rotate_keys', fields: [] },
    clock: '17 * * * *',
  }),
  rescreen: eachMinute(
    'clock_rescreen',
    'Adds a job for each tenant whose payees are not screened against the lists in use.',
  ),
  rescreen_tenant: task({
    payload: z.object({ tenantId: z.string() }),
    description: 'Screens the payees of a tenant against what changed in the lists of sanctions.',
    subject: { kind: 'tenant', field: 'tenantId' },
    key: { prefix: 'rescreen ', fields: ['tenantId'] },
    priority: backgroundPriority,
  }),
  check_name: task({
    payload: z.object({
      tenantId: z.string(),
      bankAccountId: z.string(),
      version: count,
      /** How often the bank was asked without an answer. */
      tries: count,
    }),
    description: 'Asks the bank of an account whether its holder has the name that was given.',
    subject: { kind: 'bank account', field: 'bankAccountId' },
    key: { prefix: 'name ', fields: ['bankAccountId'] },
    notByHand: 'It belongs to one version of an account. bankAccountNameCheck asks again.',
  }),
  screen_beneficiary: task({
    payload: z.object({ tenantId: z.string(), beneficiaryId: z.string() }),
    description: 'Screens a payee against the lists of sanctions.',
    subject: { kind: 'beneficiary', field: 'beneficiaryId' },
    key: { prefix: 'screen ', fields: ['beneficiaryId'] },
  }),
  send_access_mail: task({
    payload: z.object({ tenantId: z.string(), changeId: z.string(), membershipId: z.string() }),
    description:
      'Tells an owner or admin by mail of a change that decides where money or secrets go.',
    subject: { kind: 'tenant', field: 'tenantId' },
    priority: mailPriority,
    notByHand: 'It belongs to one change of access, and is added with it.',
  }),
  send_bank_batch: task({
    payload: z.object({ tenantId: z.string(), batchId: z.string() }),
    description: 'Brings a file to its bank.',
    subject: { kind: 'bank batch', field: 'batchId', states: ['closed', 'sending', 'sent'] },
    key: { prefix: 'send batch ', fields: ['batchId'] },
  }),
  send_collection_mail: task({
    payload: z.object({ tenantId: z.string(), requestId: z.string() }),
    description: 'Sends the mail with a collection link.',
    subject: { kind: 'collection request', field: 'requestId', states: ['live'] },
    priority: mailPriority,
  }),
  send_member_mail: task({
    payload: z.object({ tenantId: z.string(), invitationId: z.string() }),
    description: 'Sends the mail by which a member gets an API key.',
    subject: { kind: 'member invitation', field: 'invitationId' },
    priority: mailPriority,
  }),
  send_proof_mail: task({
    payload: z.object({ requestId: z.string() }),
    description:
      'Sends the link by which a refused registrant proves the address and takes it over.',
    subject: { kind: 'refused registration', field: 'requestId' },
    priority: mailPriority,
  }),
  send_registration_mail: task({
    payload: z.object({ businessId: z.string(), userId: z.string() }),
    description:
      'Sends the welcome mail to the user who registered a business, with the link that proves their address.',
    subject: { kind: 'user', field: 'userId' },
  }),
  send_sign_in_mail: task({
    payload: z.object({ requestId: z.string() }),
    description: 'Sends the link by which a person signs in.',
    subject: { kind: 'sign-in request', field: 'requestId' },
    priority: mailPriority,
  }),
  settle_bank_payouts: eachMinute(
    'clock_settle_bank_payouts',
    'Settles the payments of banks that were not returned for the days of their connection.',
  ),
  simulate_payout_event: task({
    payload: z.object({
      tenantId: z.string(),
      payoutId: z.string(),
      event: z.enum(simulatedEvents),
    }),
    description: 'Makes an event happen at the simulator.',
    subject: { kind: 'payout', field: 'payoutId' },
    notByHand:
      "It needs an event, and is the business's own: use POST /v1/sandbox/payouts/{id}/simulate.",
  }),
  start_due_exports: eachMinute(
    'start_due_exports',
    'Starts the exports that a schedule made due.',
  ),
  sweep_bank_batches: eachMinute(
    'clock_sweep_bank_batches',
    'Adds jobs for payouts that wait for a file, and for files that are not at their bank.',
  ),
  sweep_webhooks: task({
    payload: z.object({
      /** The last delivery that was looked at; null starts with the one that is due longest. */
      after: z
        .object({ nextAttemptAt: z.iso.datetime(), tenantId: z.string(), id: z.string() })
        .nullable()
        .default(null),
    }),
    description: 'Adds a job for each webhook delivery that is due and has none.',
    key: { prefix: 'clock_sweep_webhooks', fields: [] },
    clock: everyMinute,
  }),
  watch_approvals: task({
    payload: nothing,
    description: 'Finds the payouts that wait for an approval which nobody who is left can give.',
    key: { prefix: 'clock_watch_approvals', fields: [] },
    priority: backgroundPriority,
    clock: '*/5 * * * *',
  }),
  write_export: task({
    payload: z.object({ tenantId: z.string(), exportId: z.string() }),
    description: 'Writes the file of an export.',
    subject: { kind: 'export', field: 'exportId', states: ['pending', 'running'] },
    key: { prefix: 'export ', fields: ['exportId'] },
  }),
} as const;

export type TaskName = keyof typeof tasks;
export type Payload<T extends TaskName> = z.infer<(typeof tasks)[T]['payload']>;

export const taskNames = Object.keys(tasks) as TaskName[];

/** What is said of a task, whatever its payload is. */
export const declarationOf = (name: TaskName): Declaration<z.ZodObject> => tasks[name];

/**
 * The tenant in whose outbox a job waits for the relay. Null for the jobs of the clock, of a business that
 * registers, and of a provider's event, which names its tenant itself. The jobs of one key go the same way: one
 * that waits in the outbox would otherwise replace a later one. (Those of an event have all the same payload.)
 */
export function tenantOf(payload: Payload<TaskName>): string | null {
  return 'tenantId' in payload ? payload.tenantId : null;
}

/** The key under which a job with this payload waits: of two, the second replaces the first. */
export function jobKeyOf<T extends TaskName>(name: T, payload: Payload<T>): string {
  const { key } = declarationOf(name);
  if (key === undefined) throw new Error(`the jobs of ${name} have no key`);
  const ids = key.fields.map((field) => (payload as Record<string, unknown>)[field]);
  return key.prefix + ids.join(' ');
}

/** What runs by the clock, on one worker each time, in the syntax of graphile-worker's crontab. */
export const crontab = taskNames
  .flatMap((name) => {
    const { clock, key } = declarationOf(name);
    return clock === undefined ? [] : [`${clock} ${name} ?jobKey=${key?.prefix ?? name}`];
  })
  .join('\n');
