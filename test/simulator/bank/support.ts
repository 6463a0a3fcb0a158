import { randomUUID } from 'node:crypto';
import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach } from 'vitest';
import type { CreditTransfer } from '../../../src/providers/bank/iso20022/write-types.ts';
import { writeCreditTransfers } from '../../../src/providers/bank/iso20022/write-credit-transfers.ts';
import { writeAchFile } from '../../../src/providers/bank/nacha/write-file.ts';
import type { AchCredit } from '../../../src/providers/bank/nacha/write-types.ts';
import { readBankFile } from '../../../src/providers/bank/read-file.ts';
import { newId } from '../../../src/values/ids.ts';
import {
  goodFile,
  goodGroup,
  goodPayment,
  textOf,
} from '../../providers/bank/write/credit-transfers.ts';
import { call, startWorld, temporaryFolder } from '../../providers/support.ts';

/** Accounts of SEPA whose last four characters are magic. */
const ibans: Readonly<Record<string, string>> = {
  usual: 'DE89370400440532013000',
  '0001': 'DE67370400440532010001',
  '0002': 'DE40370400440532010002',
  '0003': 'DE13370400440532010003',
  '0004': 'DE83370400440532010004',
  '0005': 'DE56370400440532010005',
  '0007': 'DE02370400440532010007',
};

/** A payment of 123.45 EUR to an account with the ending. */
export const payTo = (ending = 'usual'): CreditTransfer => ({
  ...goodPayment(),
  account: { iban: ibans[ending] ?? '' },
});

export const transfers = (payments: readonly CreditTransfer[], messageId = newId('request')) =>
  textOf(writeCreditTransfers(goodFile([goodGroup(payments)], { messageId })));

/** An order of 123.45, or 12,345, of a currency to an account abroad, from the account in euro. */
export function abroad(currency: string): Promise<string> {
  const payment = {
    ...goodPayment(),
    account: { iban: 'CH9300762011623852957' },
    bank: { bic: 'UBSWCHZH80A' },
    uetr: randomUUID(),
  };
  const account = { iban: 'DE02120300000000202051', currency: 'EUR' };
  const group = goodGroup([payment], { scheme: 'cross_border', currency, account });
  return textOf(writeCreditTransfers(goodFile([group], { messageId: newId('request') })));
}

let sequence = 0;

/** A credit of 123.45 USD to an account with the ending. */
export function creditTo(ending = '9999'): AchCredit {
  sequence += 1;
  return {
    payoutId: `pay_${sequence}`,
    sequence,
    amountMinor: 12_345n,
    payee: 'person',
    name: 'Ana Lima',
    account: { routingNumber: '121042882', number: `12345${ending}`, type: 'checking' },
  };
}

export const traceOf = ({ sequence: number }: AchCredit): string =>
  `03130001${String(number).padStart(7, '0')}`;

export const achFile = (payments: readonly AchCredit[], reference = 'REF00001') =>
  textOf(
    writeAchFile({
      destination: { routingNumber: '031300012', name: 'Sandbox Bank' },
      origin: { id: '1123456789', name: 'Acme Inc' },
      created: { date: '2026-11-23', time: '16:05' },
      modifier: 'A',
      referenceCode: reference,
      batches: [
        {
          number: 1,
          entryClass: 'PPD',
          company: { name: 'Acme Inc', id: '1123456789' },
          originatingBank: '031300012',
          description: 'PAYMENT',
          effectiveDate: '2026-11-24',
          payments: () => payments,
        },
      ],
    }),
  );

export const customer = 'bcn_1';

/** What a test looks at in the bank's book. */
export interface Book {
  readonly day: string;
  readonly files: readonly { readonly verdict: string; readonly reason: string | null }[];
  readonly orders: readonly {
    readonly id: string;
    readonly end_to_end_id: string | null;
    readonly status: string;
    readonly reason: string | null;
  }[];
  readonly accounts: readonly {
    readonly balance: string;
    readonly entries: readonly {
      readonly what: string;
      readonly amount: string;
      readonly order_id: string | null;
    }[];
  }[];
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A bank in this process whose steps are a few milliseconds apart. */
export async function startBank(sftp: { port: number; password: string } | null = null) {
  const folder = await temporaryFolder();
  const world = await startWorld({
    stepDelayMs: 5,
    bank: { folder: folder.path, daysBehind: 0, sftp },
  });
  closers.push(async () => {
    await world.close();
    await folder.remove();
  });
  const there = (direction: 'in' | 'out') => join(folder.path, 'customers', customer, direction);
  const list = async (direction: 'in' | 'out') =>
    (await readdir(there(direction), { withFileTypes: true }))
      .filter((file) => file.isFile() && !file.name.startsWith('.'))
      .map(({ name }) => name);
  const bank = {
    folder: folder.path,
    world,
    /** Puts a file there as a customer does: under a temporary name, then by a rename. */
    async put(name: string, text: string) {
      await writeFile(join(there('out'), `.${name}.tmp`), text);
      await rename(join(there('out'), `.${name}.tmp`), join(there('out'), name));
    },
    outgoing: () => list('out'),
    // Numbers are given in the order in which answers are made.
    incoming: async () =>
      (await list('in')).toSorted((one, other) => numberOf(one).localeCompare(numberOf(other))),
    text: (name: string) => readFile(join(there('in'), name), 'utf8'),
    /** What the service's reader finds in every answer, in the order of arrival. */
    async reports() {
      const names = await bank.incoming();
      const read = async (name: string) =>
        Array.fromAsync(readBankFile(Readable.from([Buffer.from(await bank.text(name))])));
      return (await Promise.all(names.map(read))).flat();
    },
    async control(method: string, path: string, body?: unknown) {
      const reply = await call(world.simulator.url, method, `/control/bank/${path}`, body);
      return reply.body;
    },
    book: async () => (await bank.control('GET', 'book')) as unknown as Book,
    restart: () => world.restart(),
  };
  await bank.control('POST', 'customers', { customer });
  return bank;
}

const numberOf = (name: string): string => /SB[0-9]+/.exec(name)?.[0] ?? name;
