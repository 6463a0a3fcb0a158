import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealForConnection } from '../../../src/domain/bank-connection/open.ts';
import { bankReference } from '../../../src/providers/bank/text/reference.ts';
import { rails, railsMissing } from '../../providers/bank/config.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const { sent, take, stateOf } = world;

const sample = (path: string): string => readFileSync(join(rails, path), 'latin1');
const iso = (name: string): string => sample(`iso20022/samples/${name}`);

/** A status report about one of our files, as its bank writes it. */
function answerTo(text: string, payments: readonly Sent[]): string {
  const [first] = payments;
  if (first === undefined) throw new Error('a file has payments');
  let at = 0;
  const next = (one: (payment: Sent) => string) => () => {
    const payment = payments[Math.min(at, payments.length - 1)] ?? first;
    at += 1;
    return one(payment);
  };
  const inOrder = (body: string, tag: string, one: (payment: Sent) => string): string => {
    at = 0;
    const value = next(one);
    return body.replaceAll(
      new RegExp(`<((?:\\w+:)?${tag})>[^<]*</`, 'g'),
      (_all, name: string) => `<${name}>${value()}</`,
    );
  };
  let body = inOrder(text, 'OrgnlMsgId', () => first.message);
  body = inOrder(body, 'OrgnlPmtInfId', () => first.message);
  body = inOrder(body, 'OrgnlEndToEndId', ({ payout }) => bankReference(payout));
  return inOrder(body, 'OrgnlInstrId', ({ attempt }) => bankReference(attempt));
}

/** What becomes of two payments of ours, and how many contradictions call an operator. */
const reports: readonly (readonly [string, readonly string[], number])[] = [
  // It names no message.
  ['cross_river-pain_002_batch_rejected.xml', ['approved', 'approved'], 0],
  ['cross_river-pain_002_credit_accepted.xml', ['approved', 'approved'], 0],
  // Refused because the bank has them already.
  ['cross_river-pain_002_transaction_rejected.xml', ['approved', 'approved'], 2],
  ['goldman_sachs-pain_002_v3_accepted.xml', ['approved', 'approved'], 0],
  ['goldman_sachs-pain_002_v3_group_accepted.xml', ['approved', 'approved'], 0],
  ['nordea-pain_002_v3_group_reject.xml', ['approved', 'approved'], 2],
  ['nordea-pain_002_v3_payment_reject.xml', ['failed', 'failed'], 0],
  ['nordea-pain_002_v3_txn_reject.xml', ['failed', 'failed'], 0],
];

const statements: readonly string[] = [
  'genkgo-camt053.v2.all-balance-types.xml',
  'genkgo-camt053.v2.multi.statement.xml',
  'genkgo-camt053.v2.wrong.xml',
  'genkgo-camt053.v8.xml',
  'genkgo-camt054.v8-with-UETR.xml',
  'genkgo-camt054.v8.xml',
  'goldman_sachs-camt_053_us_v2_sample.xml',
  'ing-example_camt.xml',
  'nordea-example_camt.xml',
];

/** Makes the first account that a statement names that of the connection. */
async function ownAccountOf(text: string): Promise<void> {
  const account = /<Acct>(.*?)<\/Acct>/s.exec(text)?.[1] ?? '';
  const iban = /<IBAN>([^<]*)</.exec(account)?.[1];
  const number = /<Othr>\s*<Id>([^<]*)</.exec(account)?.[1];
  const currency = /<Ccy>([^<]*)</.exec(account)?.[1] ?? 'EUR';
  const sealed = sealForConnection(world.call, world.bank.connection, 'account', { iban, number });
  await world.sql(
    'UPDATE bank_connection SET account_ciphertext = $1, account_currency = $2 WHERE id = $3',
    [sealed, currency, world.bank.connection],
  );
}

describe.skipIf(railsMissing !== null)(
  `files of banks, the whole way ${railsMissing ?? ''}`,
  () => {
    it('has a test for every sample', () => {
      const named = [...reports.map(([name]) => name), ...statements].toSorted();
      expect(readdirSync(join(rails, 'iso20022/samples')).toSorted()).toEqual(named);
    });

    it.each(reports)('applies %s', async (name, states, calls) => {
      const all = await sent(2);
      const file = await take(answerTo(iso(name), all));
      expect(await world.fileRow(file)).toMatchObject({ status: 'read' });
      expect(await Promise.all(all.map(({ payout }) => stateOf(payout)))).toEqual(states);
      expect(await world.contradictions()).toHaveLength(calls);
    });

    it.each(statements)('takes %s over, so that its lines add up to its entries', async (name) => {
      await ownAccountOf(iso(name));
      const file = await take(iso(name));
      const row = await world.fileRow(file);
      const text = `SELECT match, count(*)::integer AS lines FROM bank_line GROUP BY match ORDER BY match`;
      const own = `SELECT own, count(*)::integer AS statements FROM bank_statement GROUP BY own ORDER BY own`;
      expect({
        status: row?.['status'],
        problem: row?.['problem'],
        lines: await world.sql(text),
        statements: await world.sql(own),
      }).toMatchSnapshot();
      expect(await world.sql('SELECT * FROM ops.ledger_imbalances')).toEqual([]);
    });

    it.each([
      ['return-WEB.ach', 12_354],
      ['cor-example.ach', null],
      ['cor-read.ach', null],
      ['contested-return.ach', null],
    ] as const)('applies %s to an entry of ours', async (name, cents) => {
      const more = cents === null ? {} : { amount_minor: cents };
      const [one] = (await sent(1, more)) as [Sent];
      // The trace number of the entry stands in the addenda of returns and changes, and its company in their batches.
      const text = sample(`nacha/${name}`)
        .replaceAll(/^(79[89][A-Z]\d\d)\d{15}/gm, `$1${one.trace ?? ''}`)
        .replaceAll(/^(?<head>5.{39}).{10}/gm, '$<head>1234567890');
      const file = await take(text);
      expect(await world.fileRow(file)).toMatchObject({ status: 'read', problem: null });
      const proposals = await world.sql('SELECT code FROM bank_account_proposal ORDER BY code');
      const calls = (await world.contradictions()).map(({ said }) => said);
      expect({ state: await stateOf(one.payout), proposals, calls }).toMatchSnapshot();
    });
  },
);
