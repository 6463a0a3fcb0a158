import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/pool.ts';
import { statement, type Movement } from '../support/bank-answers.ts';
import type { Sent } from '../support/bank-inbox.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useTwoOperators } from './two-operators.ts';

/* A match by hand says that a payment left or came back, so in production a second operator confirms it. */

const world = useTwoOperators();
const { people, ask, sent, take, stateOf, lines, waitingChanges, answerChange } = world;

const mutation = `mutation ($businessId: ID!, $environment: Environment!, $lineId: ID!, $subjectId: ID!) {
  done: operatorBankLineMatch(businessId: $businessId, environment: $environment, lineId: $lineId,
    subjectId: $subjectId, reason: "on the paper statement") { lineId } }`;

const match = (lineId: string, subjectId: string, environment = 'production') =>
  ask(people.ada.key, mutation, { environment, lineId, subjectId });

const debit: Movement = { direction: 'debit', amount: '1250.00', reference: 'A' };
const credit: Movement = { direction: 'credit', amount: '1250.00', code: 'ICDT RRTN' };

/** Two payments at the bank, the debit of the first, and movements that name nothing. */
async function shown(...movements: Movement[]) {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  const account = { account: '000123456789', currency: 'USD', day: '2026-11-30' };
  const own = { direction: 'debit', amount: '1250.00', payout: one.payout } as const;
  await take(statement({ ...account, movements: [own, ...movements] }));
  return { one, two };
}

const openLines = async () => (await lines()).filter(({ match: is }) => is === 'unmatched');
const lineId = async () => (await openLines())[0]?.id ?? '';

describe('a match that one operator orders in production', () => {
  it('moves no payout before another one confirms it', async () => {
    const { one, two } = await shown(debit);
    await world.inProduction();
    const line = await lineId();
    expect(await match(line, two.payout)).toBeNull();
    await world.applyEvents();
    expect(await stateOf(two.payout)).toBe('approved');
    const changes = await waitingChanges();
    expect(changes).toMatchObject([
      {
        kind: 'bank_line_match',
        subjectId: line,
        proposedBy: people.ada.id,
        shown: {
          after: {
            connectionId: world.bank.connection,
            direction: 'debit',
            amountMinor: '125000',
            currency: 'USD',
            bookedOn: '2026-11-30',
            matchedWith: two.payout,
          },
        },
      },
    ]);
    expect(await match(line, one.payout)).toBe('conflict');
    expect(await answerChange(changes[0], people.adaAgain.key)).toContain('yourself');
    expect(await answerChange(changes[0], people.grace.key)).toBe('confirmed');
    await world.applyEvents();
    expect(await stateOf(two.payout)).toBe('disbursed');
    const log = await world.sql(
      `SELECT who, action, outcome FROM ops.action_log WHERE action LIKE '%match%' OR action LIKE '%Match' ORDER BY id`,
    );
    expect(log).toEqual([
      { who: people.ada.id, action: 'operatorBankLineMatch', outcome: null },
      { who: people.grace.id, action: 'match_bank_line', outcome: 'done' },
    ]);
  });

  it('is what a payment that came back needs, and nothing is left of one that is declined', async () => {
    const { one } = await shown(credit);
    expect(await stateOf(one.payout)).toBe('disbursed');
    await world.inProduction();
    const line = await lineId();
    expect(await match(line, one.payout)).toBeNull();
    const [change] = await waitingChanges();
    expect(await answerChange(change, people.grace.key, 'declined')).toBe('declined');
    await world.applyEvents();
    expect(await stateOf(one.payout)).toBe('disbursed');
    expect(await match(line, one.payout)).toBeNull();
    const [again] = await waitingChanges();
    expect(await answerChange(again, people.grace.key)).toBe('confirmed');
    await world.applyEvents();
    expect(await stateOf(one.payout)).toBe('returned');
  });

  it('is refused at once where it cannot be done, and nothing waits then', async () => {
    const { two } = await shown({ ...debit, amount: '1.00' });
    await world.inProduction();
    const line = await lineId();
    expect(await match(line, two.payout)).toBe('conflict');
    expect(await match('bln_1', two.payout)).toBe('not_found');
    expect(await waitingChanges()).toEqual([]);
  });

  it('ends as stale where the line was explained in between', async () => {
    const { two } = await shown(debit);
    await world.inProduction();
    const line = await lineId();
    await match(line, two.payout);
    const [change] = await waitingChanges();
    await world.sql(`SELECT ops.explain_bank_line($1, 'a test payment', 'x')`, [line]);
    expect(await answerChange(change, people.grace.key)).toContain('The change is stale');
    expect(await stateOf(two.payout)).toBe('approved');
  });

  it('is one of two at once that name the same payment', async () => {
    const { two } = await shown(debit, { ...debit, reference: 'C' });
    await world.inProduction();
    for (const { id } of await openLines()) expect(await match(id, two.payout)).toBeNull();
    const changes = await waitingChanges();
    expect(changes).toHaveLength(2);
    const { pool } = world.harness.database;
    const { both } = await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM disbursement_attempt FOR UPDATE');
      const answers = changes.map((change) => answerChange(change, people.grace.key));
      await sessionsWait(pool, 2);
      return { both: Promise.all(answers) };
    });
    const said = (await both).toSorted();
    expect(said).toEqual([expect.stringContaining('The change is stale'), 'confirmed']);
    await world.applyEvents();
    expect(await stateOf(two.payout)).toBe('disbursed');
  });

  it('waits when it comes from SQL, too', async () => {
    const { one, two } = await shown(debit);
    await world.inProduction();
    const line = await lineId();
    const { tenantId } = world.tenant;
    // A process of its own, since this one has kept that the tenant was of the sandbox.
    const program = join(import.meta.dirname, '../domain/bank-file/programs/match-line.ts');
    const env = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      OPERATOR_CONFIRMATION: 'second_person',
      DATABASE_URL: world.harness.database.url,
    };
    const order = async (subject: string) => {
      const [row] = await world.sql<{ id: string }>(
        `SELECT ops.match_bank_line($1, $2, 'on the paper statement') AS id`,
        [line, subject],
      );
      const actionId = row?.id ?? '';
      await promisify(execFile)(process.execPath, [program, tenantId, line, actionId], { env });
      const log = 'SELECT outcome FROM ops.action_log WHERE id = $1';
      return (await world.sql(log, [actionId]))[0]?.['outcome'];
    };
    expect(await order(one.payout)).toBe('second_debit');
    expect(await order(two.payout)).toBe('proposed');
    expect(await order(two.payout)).toBe('proposed_already');
    await world.applyEvents();
    expect(await stateOf(two.payout)).toBe('approved');
    const [change] = await waitingChanges();
    expect(change).toMatchObject({ kind: 'bank_line_match', subjectId: line });
    expect(await answerChange(change, people.grace.key)).toBe('confirmed');
    await world.applyEvents();
    expect(await stateOf(two.payout)).toBe('disbursed');
  });
});

it('matches at once in the sandbox', async () => {
  const { two } = await shown(debit);
  const line = await lineId();
  expect(await match(line, two.payout, 'sandbox')).toEqual({ lineId: line });
  await world.applyEvents();
  expect(await stateOf(two.payout)).toBe('disbursed');
  expect(await waitingChanges()).toEqual([]);
});
