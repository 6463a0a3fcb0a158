import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { revokeOperatorKey } from '../../src/access/operator-key.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import { makeOperator } from '../ops/support.ts';
import { statusReport } from '../support/bank-answers.ts';
import type { Sent } from '../support/bank-inbox.ts';
import { makeTenant } from '../support/factory.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useTwoOperators } from './two-operators.ts';
import { inTransaction } from '../../src/db/pool.ts';

/* A file that is brought by hand says what became of payments, so in production a second operator confirms it. */

const world = useTwoOperators();
const { people, ask, sent, stateOf, waitingChanges, answerChange } = world;

const mutation = `mutation ($businessId: ID!, $environment: Environment!, $connectionId: ID!, $name: String!,
  $contentBase64: String!) { done: operatorBankFileTake(businessId: $businessId, environment: $environment,
  connectionId: $connectionId, name: $name, contentBase64: $contentBase64, reason: "by mail") { fileId news waits } }`;

const rejected = ({ message }: Sent) => statusReport({ message, group: 'RJCT', reason: 'FF01' });

const bring = (content: string, key = people.ada.key, environment = 'production') =>
  ask(key, mutation, {
    environment,
    connectionId: world.bank.connection,
    name: 'answer.xml',
    contentBase64: Buffer.from(content).toString('base64'),
  });

/** A payment whose file is at the bank of production, and a refusal of it that Ada brought. */
async function brought() {
  const [payment] = (await sent(1)) as [Sent];
  const call = await world.inProduction();
  await world.forgetJobs();
  const content = rejected(payment);
  const { fileId } = await bring(content);
  return { payment, call, content, fileId: fileId as string };
}

const statusOf = async (file: string) => (await world.fileRow(file))?.['status'];

/** Does what the jobs of a file do, were there any. */
async function work({ call, fileId }: Awaited<ReturnType<typeof brought>>): Promise<void> {
  await readStoredFile(call, fileId);
  await world.apply(fileId);
}

describe('a file that one operator brings to production', () => {
  it('moves nothing before another one confirms it, by its name, size and SHA-256', async () => {
    const made = await brought();
    const { payment, content, fileId } = made;
    expect(await statusOf(fileId)).toBe('waiting');
    expect(await world.jobs('read_bank_file')).toEqual([]);
    await work(made);
    expect(await stateOf(payment.payout)).toBe('approved');

    const changes = await waitingChanges();
    expect(changes).toMatchObject([
      {
        kind: 'bank_file_take',
        subjectId: fileId,
        environment: 'production',
        reason: 'by mail',
        proposedBy: people.ada.id,
        shown: {
          before: null,
          after: {
            connectionId: world.bank.connection,
            name: 'answer.xml',
            sizeBytes: String(Buffer.byteLength(content)),
            sha256: createHash('sha256').update(content).digest('hex'),
          },
        },
      },
    ]);
    for (const { key } of [people.ada, people.adaAgain]) {
      expect(await answerChange(changes[0], key)).toContain('You proposed this change yourself');
    }
    expect(await statusOf(fileId)).toBe('waiting');

    expect(await answerChange(changes[0], people.grace.key)).toBe('confirmed');
    expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId } }]);
    await work(made);
    expect(await stateOf(payment.payout)).toBe('failed');
    expect(await waitingChanges()).toEqual([]);
    expect(await bring(content)).toEqual({ fileId, news: false, waits: false });
  });

  it('waits once, however often it is brought', async () => {
    const { content, fileId } = await brought();
    for (const key of [people.ada.key, people.grace.key]) {
      expect(await bring(content, key)).toEqual({ fileId, news: false, waits: true });
    }
    const changes = await waitingChanges();
    expect(changes).toMatchObject([{ proposedBy: people.ada.id }]);
    expect(await answerChange(changes[0], people.ada.key)).toContain('yourself');
  });

  it('is proposed anew once nobody answered in time, or the one who brought it was revoked', async () => {
    const { content, fileId } = await brought();
    await world.sql(`UPDATE proposed_change SET expires_at = now() - interval '1 minute'`);
    expect(await waitingChanges()).toEqual([]);
    const [row] = await world.sql(`SELECT next_step FROM ops.bank_files WHERE file_id = $1`, [
      fileId,
    ]);
    expect(row?.['next_step']).toContain('Bring the file again');
    expect(await bring(content)).toEqual({ fileId, news: false, waits: true });
    const [change] = await waitingChanges();
    await revokeOperatorKey(world.harness.database.pool, people.ada.id);
    expect(await answerChange(change, people.grace.key)).toContain('an operator no longer');
    expect(await statusOf(fileId)).toBe('waiting');
    expect(await bring(content, people.adaAgain.key)).toMatchObject({ waits: true });
    const [again] = await waitingChanges();
    expect(await answerChange(again, people.grace.key)).toBe('confirmed');
  });

  it('stays dismissed where it was declined, and no one person has it read after that', async () => {
    const made = await brought();
    const { content, fileId, payment } = made;
    const [change] = await waitingChanges();
    expect(await answerChange(change, people.grace.key, 'declined')).toBe('declined');
    expect(await world.fileRow(fileId)).toMatchObject({
      status: 'dismissed',
      problem: null,
      explanation: 'I called the bank',
    });
    const log = await world.sql(
      `SELECT who, detail ->> 'answer' AS answer, detail ->> 'subject' AS subject FROM ops.action_log
       WHERE action = 'operatorChangeAnswer'`,
    );
    expect(log).toEqual([{ who: people.grace.id, answer: 'declined', subject: fileId }]);
    await work(made);
    const again = `mutation ($businessId: ID!, $fileId: ID!) { done: operatorBankFileReadAgain(businessId: $businessId,
      environment: production, fileId: $fileId, reason: "x") { fileId } }`;
    expect(await ask(people.ada.key, again, { fileId })).toBe('conflict');
    expect(await stateOf(payment.payout)).toBe('approved');
    // Brought once more, it needs the second operator again.
    expect(await bring(content)).toEqual({ fileId, news: false, waits: true });
    expect(await waitingChanges()).toHaveLength(1);
    expect(await statusOf(fileId)).toBe('waiting');
  });

  it('is declined in SQL too, and is neither read again nor dismissed there', async () => {
    const { fileId, payment } = await brought();
    const [change] = await waitingChanges();
    const operator = await makeOperator(world.harness.database, 'ops_operate');
    try {
      const [row] = await operator.sql('SELECT kind, after FROM ops.changes_to_confirm');
      expect(row).toMatchObject({ kind: 'bank_file_take', after: { name: 'answer.xml' } });
      const readAgain = `SELECT ops.read_bank_file_again($1, 'x')`;
      expect((await operator.refusal(readAgain, [fileId])).message).toContain(
        'neither one that cannot',
      );
      const dismiss = `SELECT ops.dismiss_bank_file($1, 'x', 'x')`;
      expect((await operator.refusal(dismiss, [fileId])).message).toContain('is waiting');
      await operator.sql(`SELECT ops.schedule('read_bank_file', $1, reason => 'x')`, [fileId]);
      await readStoredFile(world.call, fileId);
      await operator.sql(`SELECT ops.decline_change($1, 'the bank sent none')`, [change?.changeId]);
      expect((await operator.refusal(readAgain, [fileId])).message).toContain(
        'neither one that cannot',
      );
    } finally {
      await operator.leave();
    }
    expect(await world.fileRow(fileId)).toMatchObject({
      status: 'dismissed',
      explanation: 'the bank sent none',
    });
    expect(await stateOf(payment.payout)).toBe('approved');
  });

  it.each([
    ['waits', null],
    ['was declined', 'declined'],
  ])(
    'counts at once where the bank itself puts out the same bytes while it %s',
    async (_, ended) => {
      const made = await brought();
      const [change] = await waitingChanges();
      if (ended !== null) await answerChange(change, people.grace.key, ended);
      expect(await world.store(made.content)).toEqual({
        fileId: made.fileId,
        news: false,
        waits: false,
      });
      expect(await world.jobs('read_bank_file')).toMatchObject([
        { payload: { fileId: made.fileId } },
      ]);
      await work(made);
      expect(await stateOf(made.payment.payout)).toBe('failed');
      expect(await waitingChanges()).toEqual([]);
      expect(await answerChange(change, people.grace.key)).toMatch(
        /is (replaced|declined) already/,
      );
    },
  );

  it('is confirmed by one of two at once', async () => {
    const { fileId } = await brought();
    const [change] = await waitingChanges();
    const { pool } = world.harness.database;
    const { both } = await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM proposed_change FOR UPDATE');
      const answers = [1, 2].map(() => answerChange(change, people.grace.key));
      await sessionsWait(pool, 2);
      return { both: Promise.all(answers) };
    });
    expect((await both).toSorted()).toEqual(['The change is confirmed already.', 'confirmed']);
    expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId } }]);
  });

  it('waits once where two bring it at once', async () => {
    const { content, fileId } = await brought();
    const [change] = await waitingChanges();
    await answerChange(change, people.grace.key, 'declined');
    const { pool } = world.harness.database;
    const { both } = await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM bank_file WHERE id = $1 FOR UPDATE', [fileId]);
      const twice = [people.ada, people.grace].map(({ key }) => bring(content, key));
      await sessionsWait(pool, 2);
      return { both: Promise.all(twice) };
    });
    expect(await both).toEqual([1, 2].map(() => ({ fileId, news: false, waits: true })));
    expect(await waitingChanges()).toHaveLength(1);
  });
});

it('counts at once in the sandbox', async () => {
  const [payment] = (await sent(1)) as [Sent];
  const taken = await bring(rejected(payment), people.ada.key, 'sandbox');
  expect(taken).toMatchObject({ news: true, waits: false });
  expect(await waitingChanges()).toEqual([]);
  expect(await statusOf(taken.fileId)).toBe('received');
});

it('is for operators, and for the business of its connection', async () => {
  const { fileId, content } = await brought();
  const [change] = await waitingChanges();
  const other = await makeTenant(world.harness, { environment: 'production' });
  expect(await bring(content, other.key)).toBe('forbidden');
  expect(await answerChange(change, other.key)).not.toBe('confirmed');
  expect(
    await ask(people.ada.key, mutation, {
      businessId: other.businessId,
      environment: 'production',
      connectionId: world.bank.connection,
      name: 'x',
      contentBase64: 'eA==',
    }),
  ).toBe('not_found');
  expect(await statusOf(fileId)).toBe('waiting');
});
