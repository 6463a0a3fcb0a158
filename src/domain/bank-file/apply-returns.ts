import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import type { ProviderPayoutEvent } from '../../providers/port.ts';
import { returnMeaning } from '../../providers/bank/nacha/read-return-codes.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { findConnection } from '../bank-connection/store.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { isCivilDate } from '../../values/bank-days/civil-date.ts';
import { eventOf, timeOfDay, type BankWords } from './events.ts';
import type { StoredBankFile } from './file-store.ts';
import { findNamedPayments, type SentToBank } from './payments.ts';
import { findStaged } from './stage-store.ts';
import type { StagedReturn } from './staged.ts';
import { strayReturn, type StrayAnswer } from './stray.ts';
import { keepStrays } from './stray-store.ts';

const together = 500;

/** The later one of two days, written `YYYY-MM-DD`. */
const later = (one: string, other: string): string => (one < other ? other : one);

const plain = (companyId: string): string => companyId.trim().toUpperCase();

/** What a return says of a payment; its words alone where a person has to look at it. */
function judge(
  report: StagedReturn,
  payment: SentToBank,
  file: StoredBankFile,
  company: string | null,
): BankWords | string {
  const { means, text } = returnMeaning(report.code);
  const words = `${report.form} ${report.code}`;
  if (report.form !== 'return' || means === 'duplicate') return words;
  // Each company counts its own trace numbers, so one of ours may also be that of another company's entry.
  const { companyId } = report;
  const isOther = companyId !== null && company !== null && plain(companyId) !== company;
  if (isOther) return `${words} of another company`;
  const { madeOn } = report;
  // Nothing can come back before the day on which it was paid.
  const day =
    madeOn !== null && isCivilDate(madeOn)
      ? later(madeOn, payment.executionDate)
      : payment.executionDate;
  return {
    eventId: `return ${file.sha256 ?? ''} ${report.line}`,
    type: 'returned',
    occurredAt: timeOfDay(day, payment),
    amountMinor: BigInt(report.amountMinor),
    failure: { code: means, message: `${report.code}: ${text}` },
  };
}

/** The company id that the connection's entries have; null for one without the ACH. */
async function companyOf(
  { services, scope }: Call,
  { connectionId }: StoredBankFile,
): Promise<string | null> {
  const connection = await findConnection(services.pool, scope, connectionId);
  // The shape of the column is that which the commands of a connection write.
  const ach = connection?.ach as { readonly companyId: string } | null | undefined;
  return ach === null || ach === undefined ? null : plain(ach.companyId);
}

async function tell(
  call: Call,
  file: StoredBankFile,
  provider: string,
  reports: readonly StagedReturn[],
): Promise<void> {
  const { scope, services } = call;
  const { pool } = services;
  const told = reports.map(({ traceNumber }) => ({
    endToEndId: null,
    instructionId: null,
    traceNumber,
  }));
  const payments = await findNamedPayments(pool, scope, file.connectionId, told);
  const company = await companyOf(call, file);
  const events: ProviderPayoutEvent[] = [];
  const doubts: { payment: SentToBank; said: string }[] = [];
  const strays: StrayAnswer[] = [];
  for (const [at, report] of reports.entries()) {
    const [payment] = payments.find(
      told[at] ?? { endToEndId: null, instructionId: null, traceNumber: null },
    );
    if (payment === undefined) {
      strays.push(strayReturn(report));
      continue;
    }
    const said = judge(report, payment, file, company);
    if (typeof said === 'string') doubts.push({ payment, said });
    else events.push(eventOf(scope, payment, said));
  }
  await inTransaction(pool, async (client) => {
    const ids = doubts.map(({ payment }) => payment.attemptId);
    if (ids.length > 0) await lockAttempts(client, scope, ids);
    for (const { payment, said } of doubts) {
      const about = { id: payment.attemptId, payoutId: payment.payoutId, provider };
      const doubt = { kind: 'outcome', said, expected: 'a plain return' } as const;
      const source = { source: 'event', eventId: `return ${file.sha256 ?? ''}` } as const;
      await recordContradictions(client, scope, about, [doubt], source);
    }
    await keepStrays(client, scope, file, strays);
    await keepToldEvents(client, provider, events);
  });
  crashPoint('bank_file_page');
}

/**
 * Tells payments that came back through the ACH. A return says that the money was sent and is there again, so the
 * payout is `returned`, whether or not a statement has shown the debit. A duplicate, a word about an earlier return,
 * and a return of a payment that is not known are left to a person. Safe to repeat.
 */
export async function applyReturns(
  call: Call,
  file: StoredBankFile,
  provider: string,
): Promise<void> {
  const { scope, services } = call;
  for (let after = 0; ;) {
    const page = { kind: 'return', after, take: together } as const;
    const found = await findStaged<StagedReturn>(services.pool, scope, file.id, page);
    const last = found.at(-1);
    if (last === undefined) return;
    await tell(
      call,
      file,
      provider,
      found.map(({ report }) => report),
    );
    after = last.position;
  }
}
