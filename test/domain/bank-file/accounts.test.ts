import { describe, expect, it } from 'vitest';
import { changeConnection } from '../../../src/domain/bank-connection/change.ts';
import { readFileAgain } from '../../../src/domain/bank-file/read-again.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { bookStatedBalance } from '../../../src/domain/ledger/store.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import { notification, statement, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox } from '../../support/bank-inbox.ts';

/* Statements of other accounts, and connections with accounts in several currencies. */

const world = useBankInbox();
const { take } = world;

const iban = 'DE89370400440532013000';
const shown = (currency: string, movements: readonly Movement[], more: object = {}) =>
  statement({ account: iban, currency, day: '2026-11-30', movements, ...more });
const fee: Movement = { direction: 'debit', amount: '1.50', reference: 'F', code: 'MDOP CHRG' };

const desk = () =>
  world.sql<{ kind: string; said: string }>(
    'SELECT kind, said, file_id, status FROM bank_stray_answer ORDER BY kind, said',
  );
const booked = () =>
  world.sql('SELECT kind, amount_minor, currency FROM ledger_entry ORDER BY currency, kind');

async function german(furtherCurrencies: readonly string[] = []): Promise<string> {
  const connection = await world.connect({
    country: 'DE',
    schemes: ['sepa_credit_transfer', 'cross_border'],
    furtherCurrencies,
  });
  world.bank.connection = connection;
  await world.routeTo(connection);
  return connection;
}

/** Adds an account in a currency to a connection that was just made. */
const addAccount = (connection: string, currency: string) =>
  inTransaction(world.call.services.pool, (client) =>
    changeConnection(client, world.call, connection, 1, {
      furtherAccounts: [{ country: 'DE', currency, iban }],
    } as unknown as Parameters<typeof changeConnection>[4]),
  );

const reopen = (fileId: string) =>
  inTransaction(world.call.services.pool, (client) =>
    readFileAgain(client, world.call.scope, fileId),
  );

const again = async (fileId: string) => {
  await reopen(fileId);
  await readStoredFile(world.call, fileId);
  await world.apply(fileId);
};

it('puts a statement of another account on the desk by name, once for each account', async () => {
  await german();
  const other = { account: 'DE02120300000000202051', day: '2026-11-30', movements: [fee] };
  const file = await take(statement({ ...other, currency: 'EUR', id: 'S-1', closing: '10.00' }));
  await take(statement({ ...other, currency: 'EUR', id: 'S-2' }));
  await take(notification({ ...other, currency: 'CHF', id: 'N-1' }));
  expect(await desk()).toEqual([
    {
      kind: 'other_account',
      said: 'camt.053.001.08 …2051 EUR S-1',
      file_id: file,
      status: 'open',
    },
    expect.objectContaining({ kind: 'other_account', said: 'camt.054.001.08 …2051 CHF N-1' }),
  ]);
  expect(await world.lines()).toEqual([]);
  expect(await booked()).toEqual([]);
});

it('puts a statement of the account in another currency on the desk, and books it once the account is there', async () => {
  const connection = await german();
  const content = shown('CHF', [fee], { opening: '100.00', closing: '98.50' });
  const file = await take(content);
  expect(await desk()).toMatchObject([
    { kind: 'account_currency', said: 'camt.053.001.08 …3000 CHF S-2026-11-30' },
  ]);
  expect(await booked()).toEqual([]);
  await addAccount(connection, 'CHF');
  await again(file);
  expect(await booked()).toEqual([
    { kind: 'fee', amount_minor: '150', currency: 'CHF' },
    { kind: 'funding', amount_minor: '10000', currency: 'CHF' },
  ]);
  // All of it was of the connection's accounts then.
  await expect(again(file)).rejects.toThrow(DomainError);
  expect(await booked()).toHaveLength(2);
});

it('says the same of an account that is told by its balances alone', async () => {
  await german();
  const content = shown('CHF', [fee], { opening: '100.00', closing: '98.50' });
  await take(content.replace('<Ccy>CHF</Ccy>', ''));
  expect(await desk()).toMatchObject([{ kind: 'account_currency' }]);
  expect(await world.lines()).toEqual([]);
});

it('reads the statements of accounts in two currencies, and books each in its own', async () => {
  await german(['CHF']);
  await take(shown('EUR', [{ ...fee, reference: 'FE' }]));
  await take(shown('CHF', [{ ...fee, reference: 'FC' }], { id: 'C', closing: '98.50' }));
  // Of a day that the balance in francs has, and no balance in euro.
  await take(shown('EUR', [{ ...fee, reference: 'FE2' }], { id: 'E2' }));
  expect(await world.sql('SELECT account_currency, currency FROM bank_line ORDER BY 1, 2')).toEqual(
    [
      { account_currency: 'CHF', currency: 'CHF' },
      { account_currency: 'EUR', currency: 'EUR' },
      { account_currency: 'EUR', currency: 'EUR' },
    ],
  );
  expect(await desk()).toEqual([]);
  const fees = await world.sql(
    `SELECT currency, sum(amount_minor) AS minor FROM ledger_entry WHERE kind = 'fee' GROUP BY 1 ORDER BY 1`,
  );
  expect(fees).toEqual([
    { currency: 'CHF', minor: '150' },
    { currency: 'EUR', minor: '300' },
  ]);
});

it('refuses a second account in one currency, and keeps the first as it is', async () => {
  const connection = await german(['CHF']);
  const refused = addAccount(connection, 'CHF');
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(addAccount(connection, 'EUR')).rejects.toMatchObject({ code: 'validation_failed' });
  const [row] = await world.sql(
    'SELECT version, further_accounts FROM bank_connection WHERE id = $1',
    [connection],
  );
  expect(row).toEqual({
    version: 1,
    further_accounts: [{ country: 'DE', currency: 'CHF', last4: '3000' }],
  });
});

const funds = () =>
  world.sql<{ currency: string; minor: string }>(
    'SELECT currency, sum(funds_minor) AS minor FROM ledger_balance GROUP BY 1 ORDER BY 1',
  );

/** Both statements as the parts of one file. */
const inOneFile = (first: string, second: string): string =>
  first.replace('</Stmt>', `</Stmt>${/<Stmt>.*<\/Stmt>/s.exec(second)?.[0] ?? ''}`);

it.each(['one file', 'two files'])(
  'books the balances of two currencies whose statements have one id, in %s',
  async (where) => {
    await german(['CHF']);
    const euro = shown('EUR', [], { id: 'S-1', closing: '1000.00' });
    const francs = shown('CHF', [], { id: 'S-1', closing: '700.00' });
    if (where === 'one file') await take(inOneFile(euro, francs));
    else {
      await take(euro);
      await take(francs);
    }
    expect(await funds()).toEqual([
      { currency: 'CHF', minor: '70000' },
      { currency: 'EUR', minor: '100000' },
    ]);
  },
);

it('books the balance of a day before that of the newest one in another currency', async () => {
  await german(['CHF']);
  await take(shown('CHF', [], { id: 'C', day: '2026-12-01', closing: '700.00' }));
  await take(shown('EUR', [], { id: 'E', closing: '1000.00' }));
  expect(await funds()).toEqual([
    { currency: 'CHF', minor: '70000' },
    { currency: 'EUR', minor: '100000' },
  ]);
});

it('leaves what moved later in one currency out of the balance of another', async () => {
  await german(['CHF']);
  await take(shown('CHF', [fee], { id: 'C', day: '2026-12-01' }));
  await take(shown('EUR', [], { id: 'E', closing: '1000.00' }));
  expect(await funds()).toEqual([
    { currency: 'CHF', minor: '-150' },
    { currency: 'EUR', minor: '100000' },
  ]);
});

it.each(['EUR', 'CHF'])(
  'books the fee of one currency alone where a balance in %s has that of the other',
  async (closed) => {
    await german(['CHF']);
    await take(shown(closed, [], { id: 'closed', closing: '98.50' }));
    const ofBoth = ['EUR', 'CHF'].map((currency) =>
      shown(currency, [{ ...fee, reference: `F ${currency}` }], { id: currency }),
    );
    await take(inOneFile(ofBoth[0] ?? '', ofBoth[1] ?? ''));
    const fees = await world.sql(`SELECT currency FROM ledger_entry WHERE kind = 'fee'`);
    expect(fees).toEqual([{ currency: closed === 'EUR' ? 'CHF' : 'EUR' }]);
  },
);

it('books the last balance of a day that stands in one file', async () => {
  await german();
  const [first, second, third] = ['1000.00', '800.00', '900.00'].map((closing) =>
    shown('EUR', [], { id: closing, closing }),
  ) as [string, string, string];
  await take(inOneFile(inOneFile(first, third), second));
  expect(await funds()).toEqual([{ currency: 'EUR', minor: '90000' }]);
});

it('books a balance that the bank corrects under the same id and day, each time', async () => {
  await german();
  for (const closing of ['1000.00', '900.00', '800.00']) {
    await take(shown('EUR', [], { id: 'S-1', closing }));
  }
  expect(await funds()).toEqual([{ currency: 'EUR', minor: '80000' }]);
});

describe('a file that counts and is read once more', () => {
  const euro = shown('EUR', [], { id: 'E', closing: '1000.00' });
  const francs = shown('CHF', [], { id: 'F', closing: '700.00' });
  const sum = async (currency: string) =>
    (await funds()).find((row) => row.currency === currency)?.minor ?? '0';

  /** Another connection, whose statement closes at 500 euro. */
  const takeOther = async () => {
    const { connection: first } = world.bank;
    const other = await world.connect({ country: 'DE', schemes: ['sepa_credit_transfer'] });
    await take(shown('EUR', [], { id: 'O', closing: '500.00' }), other);
    world.bank.connection = first;
  };

  it.each(['before it is read', 'before it is applied'])(
    'counts as it did %s, also for the files that come meanwhile',
    async (when) => {
      const connection = await german();
      const file = await take(inOneFile(euro, francs));
      await addAccount(connection, 'CHF');
      await reopen(file);
      if (when === 'before it is applied') await readStoredFile(world.call, file);
      await takeOther();
      expect(await sum('EUR')).toBe('150000');
      expect(await sum('CHF')).toBe('0');
      expect(await booked()).not.toContainEqual(expect.objectContaining({ kind: 'withdrawal' }));
      await readStoredFile(world.call, file);
      await world.apply(file);
      expect(await sum('EUR')).toBe('150000');
      expect(await sum('CHF')).toBe('70000');
      expect(await booked()).toHaveLength(3);
    },
  );

  it('books what the books say otherwise since it was applied', async () => {
    const connection = await german();
    const file = await take(inOneFile(euro, francs));
    const { pool } = world.harness.services;
    const stated = { currency: 'EUR', minor: 90_000n };
    await bookStatedBalance(pool, world.call.scope, stated, 'by hand');
    await addAccount(connection, 'CHF');
    await again(file);
    expect([await sum('EUR'), await sum('CHF')]).toEqual(['100000', '70000']);
  });

  it('counts as it did where it cannot be read then', async () => {
    await german();
    const file = await take(inOneFile(euro, francs));
    await reopen(file);
    await world.sql(
      `ALTER TABLE bank_stray_answer ADD CONSTRAINT poisoned CHECK (kind <> 'account_currency') NOT VALID`,
    );
    try {
      await readStoredFile(world.call, file);
    } finally {
      await world.sql('ALTER TABLE bank_stray_answer DROP CONSTRAINT poisoned');
    }
    expect(await world.fileRow(file)).toMatchObject({ status: 'unreadable' });
    await takeOther();
    expect(await sum('EUR')).toBe('150000');
    // Read a third time it still counts, as the second reading counted for nothing.
    await reopen(file);
    const other = await world.connect({ country: 'DE', schemes: ['sepa_credit_transfer'] });
    await take(shown('EUR', [], { id: 'third', closing: '20.00' }), other);
    expect(await sum('EUR')).toBe('152000');
    await readStoredFile(world.call, file);
    await world.apply(file);
    expect(await sum('EUR')).toBe('152000');
  });
});

it('reads the later files of an account again with the first, which alone is at the desk', async () => {
  const connection = await german();
  const first = await take(shown('CHF', [{ ...fee, reference: 'F1' }], { id: 'C1' }));
  const second = await take(shown('CHF', [{ ...fee, reference: 'F2' }], { id: 'C2' }));
  const dollars = await take(shown('USD', [{ ...fee, reference: 'F3' }], { id: 'D' }));
  const other = await world.connect({ country: 'DE', schemes: ['sepa_credit_transfer'] });
  await take(shown('CHF', [{ ...fee, reference: 'F4' }], { id: 'C3' }), other);
  expect(await desk()).toMatchObject([{ file_id: first }, {}, { file_id: dollars }]);
  await addAccount(connection, 'CHF');
  await world.sql('DELETE FROM job_outbox');
  await reopen(first);
  const waiting = await world.sql<{ file: string }>(
    `SELECT payload ->> 'fileId' AS file FROM job_outbox WHERE task = 'read_bank_file' ORDER BY 1`,
  );
  expect(waiting.map(({ file }) => file)).toEqual([first, second].toSorted());
  for (const file of [first, second]) {
    await readStoredFile(world.call, file);
    await world.apply(file);
  }
  const fees = await world.sql(
    `SELECT currency, amount_minor FROM ledger_entry WHERE kind = 'fee' ORDER BY id`,
  );
  expect(fees).toEqual([
    { currency: 'CHF', amount_minor: '150' },
    { currency: 'CHF', amount_minor: '150' },
  ]);
  await expect(reopen(second)).rejects.toMatchObject({ code: 'conflict' });
});

it.each([
  ['XAU', '1.50'],
  ['XXX', '1.50'],
  ['CHF', '1.005'],
])('reads the own statement beside one of another account with %s %s', async (currency, amount) => {
  await german();
  const other = statement({
    account: 'DE02120300000000202051',
    currency,
    day: '2026-11-30',
    id: 'X',
    closing: amount,
    movements: [{ ...fee, amount }],
  });
  const own = shown('EUR', [fee], { id: 'E', closing: '98.50' });
  const file = await take(inOneFile(other, own));
  expect(await world.fileRow(file)).toMatchObject({ status: 'read', problem: null });
  expect(await desk()).toMatchObject([{ kind: 'other_account' }]);
  expect(await funds()).toEqual([{ currency: 'EUR', minor: '9850' }]);
});

it.each([
  ['a booked movement', [{ ...fee, amount: '1.005' }], {}],
  ['a closing balance', [], { closing: '1.005' }],
])('reads no own statement with %s that cannot be exact', async (_what, movements, more) => {
  await german();
  const file = await take(shown('EUR', movements, more));
  expect(await world.fileRow(file)).toMatchObject({
    status: 'unreadable',
    problem: 'amount_precision',
  });
  expect(await funds()).toEqual([]);
});
