import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import {
  judgeBy,
  saidAnywhere,
  type Judgement,
} from '../../providers/bank/iso20022/read-judgement.ts';
import { isOfName } from '../../providers/bank/iso20022/read-status-codes.ts';
import type { StatusReport } from '../../providers/bank/report.ts';
import type { ProviderPayoutEvent } from '../../providers/port.ts';
import { noteMoney, recordContradictions } from '../contradiction/contradiction-store.ts';
import { failedThoughPaid, type Contradiction } from '../contradiction/contradiction.ts';
import { recordSaidNames, type SaidOfName } from '../name-check/said-by-bank.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { eventOf, timeOfRefusal, type BankWords } from './events.ts';
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
function saidBy(judgement: Judgement, payment: SentToBank, file: StoredBankFile): BankWords | null {
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
  /** Null where the file says nothing but that it was executed. */
  readonly judgement: Judgement | null;
  /** What calls it executed; null where nothing does. */
  readonly executed: StatusReport | null;
  /** Whether something calls it executed and something else refuses it. */
  readonly isBoth: boolean;
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
    judged.every(
      ({ judgement, executed }) => judgement?.verdict === 'rejected' && executed === null,
    );
  await noteAnsweredBatches(services.pool, scope, batches, refused ? 'rejected' : 'sent');
}

/** What the statuses say, in the transaction of `client`, which holds the locks of the attempts. */
async function record(
  client: PoolClient,
  scope: Scope,
  { sha256 }: StoredBankFile,
  provider: string,
  judged: readonly Judged[],
): Promise<void> {
  const source = { source: 'event', eventId: `status ${sha256 ?? ''}` } as const;
  for (const { payment, judgement, isBoth } of judged) {
    const said = judgement === null ? null : doubtIn(judgement);
    const doubts: Contradiction[] = isBoth ? [failedThoughPaid] : [];
    if (said !== null) doubts.push({ kind: 'outcome', said, expected: 'a plain answer' });
    if (doubts.length === 0) continue;
    const about = { id: payment.attemptId, payoutId: payment.payoutId, provider };
    await recordContradictions(client, scope, about, doubts, source);
  }
  const told = judged.flatMap(({ payment: { attemptId, payoutId }, executed }) =>
    executed === null ? [] : [{ attemptId, payoutId, said: saidIn(executed), isEvent: false }],
  );
  await noteMoney(client, scope, provider, told, source);
}

async function tell(
  call: Call,
  file: StoredBankFile,
  provider: string,
  judged: readonly Judged[],
): Promise<void> {
  const { scope, services } = call;
  const events = judged.flatMap(({ payment, judgement }): ProviderPayoutEvent[] => {
    const said = judgement === null ? null : saidBy(judgement, payment, file);
    return said === null ? [] : [eventOf(scope, payment, said)];
  });
  const names = judged.flatMap(({ payment, judgement }): SaidOfName[] => {
    const code = judgement?.report.status ?? null;
    const { attemptId, payoutId } = payment;
    return code === null || !isOfName(code) ? [] : [{ attemptId, payoutId, code }];
  });
  await inTransaction(services.pool, async (client) => {
    await lockAttempts(
      client,
      scope,
      judged.map(({ payment }) => payment.attemptId),
    );
    await record(client, scope, file, provider, judged);
    await recordSaidNames(client, scope, provider, names);
    await keepToldEvents(client, provider, events);
  });
  crashPoint('bank_file_page');
}

/** What the statuses of a file say of the payments of the messages that they answer. */
interface StatusAnswer {
  readonly reports: readonly StatusReport[];
  readonly payments: readonly SentToBank[];
  readonly judged: readonly Judged[];
}

async function judgeFile(call: Call, file: StoredBankFile): Promise<StatusAnswer> {
  const { scope, services } = call;
  const reports = await readStatuses(call, file.id);
  const messages = [...new Set(reports.flatMap((report) => report.originalMessageId ?? []))];
  const payments = await findPaymentsOfMessages(services.pool, scope, file.connectionId, messages);
  // A file of ours has one batch, which has the name of the message.
  const all = payments.map((payment) => ({
    payment,
    sent: { ...payment, paymentInformationId: payment.messageId },
  }));
  const judge = judgeBy(
    reports,
    all.map(({ sent }) => sent),
  );
  const findExecution = saidAnywhere(reports, ['settled']);
  const findRefusal = saidAnywhere(reports, ['rejected', 'canceled']);
  const judged = all.flatMap(({ payment, sent }): Judged[] => {
    const judgement = judge(sent);
    const executed = findExecution(sent);
    const isBoth = executed !== null && findRefusal(sent) !== null;
    if (judgement === null && executed === null) return [];
    return [{ payment, judgement, executed, isBoth }];
  });
  return { reports, payments, judged };
}

/**
 * Tells payments what a status report says of them. The statuses of one file are judged together: a payment by its
 * own status, else by that of its batch or message. That a payment was called executed stays known, and calls an operator
 * where it was refused before: the payout may be replaced, and then the payee is paid twice. What answers nothing of the
 * connection is left to a person. Safe to repeat.
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
