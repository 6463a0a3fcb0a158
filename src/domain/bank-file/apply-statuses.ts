import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { judgeBy, type Judgement } from '../../providers/bank/iso20022/read-judgement.ts';
import type { StatusReport } from '../../providers/bank/report.ts';
import type { ProviderPayoutEvent } from '../../providers/port.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { eventOf, timeOfRefusal, type Said } from './events.ts';
import type { StoredBankFile } from './file-store.ts';
import { noteAnsweredBatches } from './known-batches.ts';
import { findPaymentsOfMessages, type SentToBank } from './payments.ts';
import { saidIn } from './said.ts';
import { findStaged } from './stage-store.ts';
import type { StagedStatus } from './staged.ts';
import { strayStatuses } from './stray.ts';
import { keepStrays } from './stray-store.ts';

/** Payments that one transaction tells. */
const together = 500;

/** All statuses of a file. Reading refuses a file with more than fit into memory. */
async function readStatuses(call: Call, fileId: string): Promise<StatusReport[]> {
  const { scope, services } = call;
  const reports: StatusReport[] = [];
  for (let after = 0; ;) {
    const page = { kind: 'status', after, take: together } as const;
    const found = await findStaged<StagedStatus>(services.pool, scope, fileId, page);
    reports.push(...found.map(({ report }) => ({ ...report.report, amount: null })));
    const last = found.at(-1);
    if (last === undefined || found.length < together) return reports;
    after = last.position;
  }
}

/** What a judgement means for a payment; null for nothing. */
function saidBy(judgement: Judgement, payment: SentToBank, file: StoredBankFile): Said | null {
  const eventId = `status ${file.sha256 ?? ''} ${payment.attemptId}`;
  switch (judgement.verdict) {
    // Money leaves when a statement shows it. A status says only how far the bank is.
    case 'accepted':
    case 'in_process':
    case 'settled':
      return { eventId, type: 'acknowledged', occurredAt: file.receivedAt };
    case 'rejected':
      return {
        eventId,
        type: 'failed',
        occurredAt: timeOfRefusal(payment),
        failure: judgement.failure,
      };
    case 'canceled':
      return {
        eventId,
        type: 'failed',
        occurredAt: timeOfRefusal(payment),
        failure: { code: 'provider_rejected', message: 'CANC: The bank canceled the payment' },
      };
    case 'pending':
    case 'partial':
    case 'duplicate':
    case 'unknown':
      return null;
  }
}

/** What a person has to look at: the bank has the payment already, or says something that is not understood. */
function doubtIn({ verdict, report }: Judgement): string | null {
  if (verdict !== 'duplicate' && verdict !== 'unknown') return null;
  return `${verdict} ${saidIn(report)}`;
}

interface Judged {
  readonly payment: SentToBank;
  readonly judgement: Judgement;
}

/** The files that a report is about, with what it means for them. */
async function noteAnswer(
  { scope, services }: Call,
  payments: readonly SentToBank[],
  judged: readonly Judged[],
): Promise<void> {
  const batches = [...new Set(payments.map(({ batchId }) => batchId))];
  const refused =
    judged.length === payments.length &&
    judged.every(({ judgement }) => judgement.verdict === 'rejected');
  await noteAnsweredBatches(services.pool, scope, batches, refused ? 'rejected' : 'sent');
}

/** Records what calls an operator, in the transaction of `client`. */
async function recordDoubts(
  client: PoolClient,
  scope: Scope,
  given: {
    readonly file: StoredBankFile;
    readonly provider: string;
    readonly doubts: readonly { readonly payment: SentToBank; readonly said: string }[];
    readonly expected: string;
  },
): Promise<void> {
  const { file, provider, doubts, expected } = given;
  const ids = doubts.map(({ payment }) => payment.attemptId);
  if (ids.length > 0) await lockAttempts(client, scope, ids);
  for (const { payment, said } of doubts) {
    const about = { id: payment.attemptId, payoutId: payment.payoutId, provider };
    const doubt = { kind: 'outcome', said, expected } as const;
    const source = { source: 'event', eventId: `status ${file.sha256 ?? ''}` } as const;
    await recordContradictions(client, scope, about, [doubt], source);
  }
}

async function tell(
  call: Call,
  file: StoredBankFile,
  provider: string,
  judged: readonly Judged[],
): Promise<void> {
  const { scope, services } = call;
  const events: ProviderPayoutEvent[] = [];
  const doubts: { payment: SentToBank; said: string }[] = [];
  for (const { payment, judgement } of judged) {
    const said = saidBy(judgement, payment, file);
    if (said !== null) events.push(eventOf(scope, payment, said));
    const doubt = doubtIn(judgement);
    if (doubt !== null) doubts.push({ payment, said: doubt });
  }
  await inTransaction(services.pool, async (client) => {
    await recordDoubts(client, scope, { file, provider, doubts, expected: 'a plain answer' });
    await keepToldEvents(client, provider, events);
  });
  crashPoint('bank_file_page');
}

/** What the statuses of a file say of the payments of the messages that they answer. */
interface Answer {
  readonly reports: readonly StatusReport[];
  readonly payments: readonly SentToBank[];
  readonly judged: readonly Judged[];
}

async function judgeFile(call: Call, file: StoredBankFile): Promise<Answer> {
  const { scope, services } = call;
  const reports = await readStatuses(call, file.id);
  const messages = [...new Set(reports.flatMap((report) => report.originalMessageId ?? []))];
  const payments = await findPaymentsOfMessages(services.pool, scope, file.connectionId, messages);
  const judge = judgeBy(reports);
  const judged = payments.flatMap((payment): Judged[] => {
    // A file of ours has one batch, which has the name of the message.
    const judgement = judge({ ...payment, paymentInformationId: payment.messageId });
    return judgement === null ? [] : [{ payment, judgement }];
  });
  return { reports, payments, judged };
}

/**
 * Tells payments what a status report says of them. The statuses of one file are judged together: a payment by its
 * own status, else by that of its batch or message. What answers nothing of the connection is left to a person. Safe
 * to repeat.
 */
export async function applyStatuses(
  call: Call,
  file: StoredBankFile,
  provider: string,
): Promise<void> {
  const { scope, services } = call;
  const { reports, payments, judged } = await judgeFile(call, file);
  const strays = strayStatuses(reports, payments, file);
  for (let at = 0; at < strays.length; at += together) {
    await keepStrays(services.pool, scope, file, strays.slice(at, at + together));
  }
  if (payments.length === 0) return;
  for (let at = 0; at < judged.length; at += together) {
    await tell(call, file, provider, judged.slice(at, at + together));
  }
  await noteAnswer(call, payments, judged);
}

/**
 * Calls an operator for payments of which the file says by name that they were executed, and which failed by an
 * earlier word: the payout may be replaced, and then the payee is paid twice. Once all events of the bank are applied,
 * so that a refusal which came just before is known. A status of the whole file is no such word, since it does not
 * speak of what was refused before. Safe to repeat.
 */
export async function doubtExecuted(
  call: Call,
  file: StoredBankFile,
  provider: string,
): Promise<void> {
  const { scope, services } = call;
  const { judged } = await judgeFile(call, file);
  const doubts = judged.flatMap(({ payment, judgement: { verdict, report } }) =>
    verdict === 'settled' && report.level === 'transaction' && payment.state === 'failed'
      ? [{ payment, said: saidIn(report) }]
      : [],
  );
  for (let at = 0; at < doubts.length; at += together) {
    const page = { file, provider, doubts: doubts.slice(at, at + together), expected: 'failed' };
    await inTransaction(services.pool, (client) => recordDoubts(client, scope, page));
  }
}
