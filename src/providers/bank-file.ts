import { createHash } from 'node:crypto';
import { accountFor, type BankConnectionFacts, type BankScheme } from './bank-connection.ts';
import type { FilePayment } from './port.ts';
import { writeCreditTransfers } from './bank/iso20022/write-credit-transfers.ts';
import type { CreditTransferFile, Scheme } from './bank/iso20022/write-types.ts';
import { traceNumber } from './bank/nacha/write-entry.ts';
import { writeAchFile } from './bank/nacha/write-file.ts';
import type { AchBatch, AchFile, EntryClass } from './bank/nacha/write-types.ts';
import { achCreditOf, creditTransferOf } from './bank/payment.ts';
import { bankReference } from './bank/text/reference.ts';
import { resourceOf } from '../values/ids.ts';
import { wallClock } from '../values/bank-days/zone.ts';
import { FileRefused } from './bank/write-problems.ts';

/** A payment with an attempt, as the file will have it. */
export interface BatchPayment {
  readonly payoutId: string;
  readonly attemptId: string;
  /** A UUIDv4 that was made for the attempt. */
  readonly uetr: string;
  /** What the payee reads of the payment; our reference where it is null. */
  readonly message: string | null;
  readonly payment: FilePayment;
}

/** What a file is written from. */
export interface BatchPlan {
  readonly id: string;
  readonly scheme: BankScheme;
  /** ISO 4217. */
  readonly currency: string;
  readonly connection: BankConnectionFacts;
  readonly createdAt: Date;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  readonly payments: readonly BatchPayment[];
}

/** Gives out numbers of a connection, in the transaction that closes the batch. */
export interface Numbers {
  /** The first of `count` trace numbers in a row: 1 to 9,999,999. */
  traces(count: number): Promise<number>;
  /** How many Nacha files there are of this day of the wall clock, with this one: from 1. */
  fileOfDay(date: string): Promise<number>;
}

/** A payment in the order of the file, with what a bank will call it by. */
export interface WrittenPayment {
  readonly of: BatchPayment;
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly traceNumber: string | null;
}

/** The file of a batch: its bytes never change again. */
export interface BatchFile {
  readonly name: string;
  readonly messageId: string;
  readonly bytes: Buffer;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly payments: readonly WrittenPayment[];
}

const messageOf = ({ message, payoutId }: BatchPayment): string =>
  message ?? bankReference(payoutId);

const written = (of: BatchPayment, traceNumber: string | null): WrittenPayment => ({
  of,
  endToEndId: bankReference(of.payoutId),
  instructionId: bankReference(of.attemptId),
  traceNumber,
});

async function bytesOf(pieces: AsyncIterable<string>): Promise<Buffer> {
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.from(parts.join(''), 'utf8');
}

const finished = (
  plan: BatchPlan,
  name: string,
  bytes: Buffer,
  payments: readonly WrittenPayment[],
): BatchFile => ({
  name,
  messageId: bankReference(plan.id),
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  payments,
});

async function creditTransferFile(plan: BatchPlan, scheme: Scheme): Promise<BatchFile> {
  const { connection, currency, executionDate, id } = plan;
  const { debtor, initiatorId, cutOff, formatOptions } = connection;
  const account = accountFor(connection, currency);
  const transfers = plan.payments.map((one) =>
    creditTransferOf(one.payment, { ...one, message: messageOf(one) }),
  );
  const file: CreditTransferFile = {
    messageId: id,
    createdAt: plan.createdAt,
    initiator: { name: debtor.name, id: initiatorId ?? undefined },
    groups: [
      {
        id,
        scheme,
        currency,
        executionDate,
        calendar: cutOff.calendar,
        debtor,
        account,
        bank: account,
        options: formatOptions[scheme],
        payments: () => transfers,
      },
    ],
  };
  const bytes = await bytesOf(writeCreditTransfers(file));
  const payments = plan.payments.map((of) => written(of, null));
  return finished(plan, `pain001-${id}.xml`, bytes, payments);
}

/** A to Z and then 0 to 9 tell the files of a day apart (Nacha Operating Rules, appendix 3). */
const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const classOf = ({ payment }: BatchPayment): EntryClass =>
  payment.payee.type === 'person' ? 'PPD' : 'CCD';

async function achFile(plan: BatchPlan, numbers: Numbers): Promise<BatchFile> {
  const { ach, cutOff, debtor } = plan.connection;
  const account = accountFor(plan.connection, plan.currency);
  if (ach === null) throw new Error(`${plan.connection.id} offers ACH without its ids`);
  const bank = account.abaNumber ?? '';
  const groups = (['PPD', 'CCD'] as const)
    .map((entryClass) => ({
      entryClass,
      of: plan.payments.filter((one) => classOf(one) === entryClass),
    }))
    .filter(({ of }) => of.length > 0);
  const debits = ach.balanced ? groups.length : 0;
  let sequence = await numbers.traces(plan.payments.length + debits);
  const payments: WrittenPayment[] = [];
  const batches = groups.map(({ entryClass, of }, index): AchBatch => {
    const credits = of.map((one) => {
      payments.push(written(one, traceNumber(bank, sequence)));
      const ids = { payoutId: one.payoutId, sequence: sequence++, reference: messageOf(one) };
      return achCreditOf(one.payment, ids);
    });
    const offset = {
      account: {
        routingNumber: bank,
        number: account.number ?? '',
        type: account.type ?? 'checking',
      },
      name: debtor.name,
      sequence: ach.balanced ? sequence++ : 0,
    } as const;
    return {
      number: index + 1,
      entryClass,
      company: { name: ach.companyName, id: ach.companyId },
      originatingBank: bank,
      description: ach.entryDescription,
      effectiveDate: plan.executionDate,
      offset: ach.balanced ? offset : undefined,
      payments: () => credits,
    };
  });
  const created = wallClock(plan.createdAt, cutOff.timeZone);
  const modifier = modifiers[(await numbers.fileOfDay(created.date)) - 1];
  if (modifier === undefined) throw new BankFileRefused('The day has 36 Nacha files already.');
  const file: AchFile = {
    destination: { routingNumber: bank, name: ach.destinationName },
    origin: { id: ach.originId, name: ach.originName },
    created,
    modifier,
    batches,
  };
  return finished(plan, `nacha-${plan.id}.ach`, await bytesOf(writeAchFile(file)), payments);
}

/**
 * No such file can be made, and nothing of it is left. The message is for operators and names nobody.
 */
export class BankFileRefused extends Error {
  override readonly name = 'BankFileRefused';
  /** Why, by the ids of the payouts that it could not hold; none where it is a matter of the connection. */
  readonly payouts: ReadonlyMap<string, string>;
  constructor(message: string, payouts: ReadonlyMap<string, string> = new Map()) {
    super(message);
    this.payouts = payouts;
  }
}

function refusedBy({ message, problems }: FileRefused): BankFileRefused {
  const ofPayouts = problems.filter(({ of }) => resourceOf(of) === 'payout');
  const byPayout = Map.groupBy(ofPayouts, ({ of }) => of);
  const why = [...byPayout].map(([id, found]): [string, string] => [
    id,
    found.map((problem) => `${problem.field}: ${problem.message}`).join(' '),
  ]);
  return new BankFileRefused(message, new Map(why));
}

/**
 * Writes the file of a batch, checked as a whole.
 * @throws BankFileRefused
 */
export async function writeBatchFile(plan: BatchPlan, numbers: Numbers): Promise<BatchFile> {
  try {
    return await (plan.scheme === 'ach'
      ? achFile(plan, numbers)
      : creditTransferFile(plan, plan.scheme));
  } catch (error) {
    throw error instanceof FileRefused ? refusedBy(error) : error;
  }
}
