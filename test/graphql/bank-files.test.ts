import { beforeEach, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import type { Role } from '../../src/access/roles.ts';
import { matchByHand } from '../../src/domain/bank-file/by-hand.ts';
import { achFile, statement, type Movement } from '../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../support/bank-inbox.ts';
import { behind } from '../support/behind.ts';
import { makeTenant } from '../support/factory.ts';

const world = useBankInbox();
const { sent, take, stateOf, lines } = world;
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

// The shape is what each test asserts.
// oxlint-disable-next-line typescript/no-explicit-any
async function ask(key: string, text: string, variables = {}): Promise<any> {
  const { body } = await world.harness.graphql(key, text, variables);
  return body.errors === undefined ? body.data : body.errors[0].extensions.code;
}

const shown = (movements: readonly Movement[], more: object = {}) =>
  statement({ account: '000123456789', currency: 'USD', day: '2026-11-30', movements, ...more });
const nameless = (amount = '1250.00'): Movement => ({
  direction: 'debit',
  amount,
  reference: 'A',
});
const lineId = async () => (await lines())[0]?.id ?? '';

const everything = `{
  bankReconciliationFiles { edges { node {
    id connectionId name status sha256 sizeBytes format problem problemPlace receivedAt appliedAt
  } } }
  bankReconciliationLines { edges { node {
    id connectionId fileId direction amountMinor currency bookedOn bankReference match doubt payoutIds explanation
  } } }
  bankReconciliationMissingDebits { edges { node { payoutId batchId executionDate amountMinor currency } } }
  bankAccountProposals { edges { node { id code payoutId correction status decidedAt } } }
}`;

// oxlint-disable-next-line typescript/no-explicit-any
const nodes = (connection: any): any[] => connection.edges.map((edge: any) => edge.node);

describe('what a business sees', () => {
  it.each(['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const)(
    'shows files, movements, missing debits and proposals to the role %s',
    async (role) => {
      const [one, two] = (await sent(2)) as [Sent, Sent];
      const fileId = await take(shown([nameless()]));
      const broken = (await world.store('<!DOCTYPE a><a/>')).fileId;
      await take(achFile([{ trace: one.trace ?? '', code: 'C01', corrected: '1918171614' }]));
      await world.sql(`UPDATE bank_batch SET execution_date = '2026-11-02'`);
      const data = await ask(await world.tenant.keyWithRole(role), everything);
      expect(nodes(data.bankReconciliationFiles)).toMatchObject([
        { format: 'nacha', status: 'read' },
        { id: broken, status: 'received', appliedAt: null },
        { id: fileId, status: 'read', format: 'camt.053.001.08', problem: null },
      ]);
      expect(nodes(data.bankReconciliationLines)).toMatchObject([
        { fileId, match: 'unmatched', doubt: 'not_ours', amountMinor: 125_000, payoutIds: [] },
      ]);
      const missing = nodes(data.bankReconciliationMissingDebits);
      const named = new Set<string>(missing.map(({ payoutId }) => payoutId));
      expect(named).toEqual(new Set([one.payout, two.payout]));
      expect(missing).toHaveLength(2);
      expect(nodes(data.bankAccountProposals)).toMatchObject([
        { code: 'C01', payoutId: one.payout, correction: { accountNumber: '••••1614' } },
      ]);
      expect(JSON.stringify(data)).not.toContain('1918171614');
    },
  );

  it('shows nothing to another business or environment, by list, id or cursor', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(shown([nameless()]));
    await take(achFile([{ trace: one.trace ?? '', code: 'C01', corrected: '1918171614' }]));
    const { key } = world.tenant;
    const mine = await ask(key, everything);
    const cursors = await ask(
      key,
      '{ bankReconciliationLines { pageInfo { endCursor } } bankAccountProposals { pageInfo { endCursor } } }',
    );
    const others = [
      await makeTenant(world.harness),
      await makeTenant(world.harness, { environment: 'production' }),
    ];
    for (const other of others) {
      const theirs = await ask(other.key, everything);
      for (const list of Object.values(theirs)) expect(nodes(list)).toEqual([]);
      for (const [list, { pageInfo }] of Object.entries<{ pageInfo: { endCursor: string } }>(
        cursors,
      )) {
        const text = `{ ${list}(after: "${pageInfo.endCursor}") { edges { node { id } } } }`;
        expect(await ask(other.key, text)).toBe('validation_failed');
      }
      const [proposal] = nodes(mine.bankAccountProposals);
      for (const field of ['Take', 'Decline']) {
        const text = `mutation { bankAccountProposal${field}(id: "${proposal.id}") { id } }`;
        expect(await ask(other.key, text)).toBe('not_found');
      }
    }
  });

  it('filters, and refuses a filter that names nothing', async () => {
    await take(shown([nameless(), { ...nameless('1.00'), reference: 'B', code: 'MDOP CHRG' }]));
    const { key } = world.tenant;
    const list = (filter: string) =>
      ask(key, `{ bankReconciliationLines(filter: ${filter}) { edges { node { match } } } }`);
    expect(nodes((await list('{ match: fee }')).bankReconciliationLines)).toEqual([
      { match: 'fee' },
    ]);
    expect(nodes((await list('{ doubt: not_ours }')).bankReconciliationLines)).toHaveLength(1);
    expect(nodes((await list('{ doubt: no_day }')).bankReconciliationLines)).toEqual([]);
    expect(await list('{ connectionId: "" }')).toBe('validation_failed');
  });
});

describe('a proposal of a bank', () => {
  const able: readonly Role[] = ['owner', 'admin', 'preparer'];
  it.each(['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const)(
    'is decided by the role %s, where it may change payees',
    async (role) => {
      const [one, two] = (await sent(2)) as [Sent, Sent];
      const key = await world.tenant.keyWithRole(role);
      for (const { trace } of [one, two]) {
        await take(achFile([{ trace: trace ?? '', code: 'C01', corrected: '1918171614' }]));
      }
      const [first, second] = await world.sql<{ id: string }>(
        'SELECT id FROM bank_account_proposal',
      );
      const decide = (field: string, id = '') =>
        ask(key, `mutation { bankAccountProposal${field}(id: "${id}") { status correction } }`);
      const expected = (field: string, status: string) =>
        able.includes(role)
          ? { [`bankAccountProposal${field}`]: { status, correction: null } }
          : 'forbidden';
      expect(await decide('Decline', second?.id)).toEqual(expected('Decline', 'declined'));
      expect(await decide('Take', first?.id)).toEqual(expected('Take', 'taken'));
      const versions = await world.sql('SELECT version FROM bank_account_version');
      expect(versions).toHaveLength(able.includes(role) ? 2 : 1);
      if (able.includes(role)) expect(await decide('Take', second?.id)).toBe('conflict');
    },
  );
});

describe('what an operator does', () => {
  const tenantOf = () => ({ businessId: world.tenant.businessId, environment: 'sandbox' });
  const types = { businessId: 'ID!', environment: 'Environment!', reason: 'String!' };

  async function mutate(field: string, given: Record<string, string>, key = ada) {
    const all: Record<string, string> = { ...tenantOf(), reason: 'case 7', ...given };
    const kinds: Record<string, string> = types;
    const kindOf = (name: string) => kinds[name] ?? (name.endsWith('Id') ? 'ID!' : 'String!');
    const names = Object.keys(all);
    const declared = names.map((name) => `$${name}: ${kindOf(name)}`).join(', ');
    const passed = names.map((name) => `${name}: $${name}`).join(', ');
    const selection = field.endsWith('Take') ? '{ fileId news }' : '{ lineId actionId }';
    const data = await ask(key, `mutation(${declared}) { ${field}(${passed}) ${selection} }`, all);
    return typeof data === 'string' ? data : data[field];
  }
  const match = (lineId: string, subjectId: string, more = {}) =>
    mutate('operatorBankLineMatch', { lineId, subjectId, ...more });
  const explain = (lineId: string, explanation: string, more = {}) =>
    mutate('operatorBankLineExplain', { lineId, explanation, ...more });
  const actions = () =>
    world.sql<Record<string, unknown>>(
      'SELECT action, subject_id, reason, detail FROM operator_action ORDER BY id',
    );

  it('matches a movement once, with its record', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(shown([nameless()]));
    const line = await lineId();
    const done = await match(line, one.payout);
    expect(done).toMatchObject({ lineId: line });
    await world.applyEvents();
    expect(await stateOf(one.payout)).toBe('disbursed');
    const log = await world.sql(
      'SELECT action, outcome, reason, tenant_id FROM ops.action_log WHERE id = $1',
      [done.actionId],
    );
    const { tenantId } = world.tenant;
    expect(log).toEqual([
      { action: 'match_bank_line', outcome: 'done', reason: 'case 7', tenant_id: tenantId },
    ]);
    expect(await match(line, one.payout)).toBe('conflict');
    expect(await explain(line, 'Rent')).toBe('conflict');
    expect(await actions()).toMatchObject([
      { action: 'operatorBankLineMatch', subject_id: line, detail: { subject: one.payout } },
    ]);
    const data = await ask(
      world.tenant.key,
      '{ bankReconciliationLines { edges { node { payoutIds explanation } } } }',
    );
    expect(nodes(data.bankReconciliationLines)).toEqual([
      { payoutIds: [one.payout], explanation: 'case 7' },
    ]);
  });

  it('matches a movement with a batch as a whole', async () => {
    const all = await sent(2);
    await take(shown([nameless('2500.00')]));
    expect(await match(await lineId(), all[0]?.batch ?? '')).toMatchObject({});
    await world.applyEvents();
    expect(await stateOf(all[1]?.payout ?? '')).toBe('disbursed');
  });

  it('refuses what does not fit, and keeps no record of it', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(shown([nameless('1250.01')]));
    const line = await lineId();
    expect(await match(line, one.payout)).toBe('conflict');
    expect(await match(line, one.batch)).toBe('conflict');
    expect(await match(line, await world.waiting())).toBe('conflict');
    expect(await match(line, 'nonsense')).toBe('conflict');
    expect(await match('bln_01k00000000000000000000000', one.payout)).toBe('not_found');
    expect(await match('nonsense', one.payout)).toBe('not_found');
    expect(await match(line, one.payout, { environment: 'production' })).toBe('not_found');
    const other = await makeTenant(world.harness);
    expect(await match(line, one.payout, { businessId: other.businessId })).toBe('not_found');
    expect(await match(line, one.payout, { businessId: 'nonsense' })).toBe('not_found');
    expect(await match(line, one.payout, { reason: ' ' })).toBe('validation_failed');
    expect(await explain(line, ' ')).toBe('validation_failed');
    expect(await explain(line, 'x'.repeat(1_001))).toBe('validation_failed');
    expect(await explain('bln_01k00000000000000000000000', 'Rent')).toBe('not_found');
    expect(
      await mutate('operatorBankLineExplain', { lineId: line, explanation: 'x' }, world.tenant.key),
    ).toBe('forbidden');
    expect(await actions()).toEqual([]);
    expect(await world.sql(`SELECT 1 FROM ops.action_log WHERE action LIKE '%bank_line'`)).toEqual(
      [],
    );
    expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'not_ours' }]);
    expect(await stateOf(one.payout)).toBe('approved');
  });

  it('explains a movement, which moves nothing and leaves the desk', async () => {
    await take(shown([nameless('10.00')]));
    const line = await lineId();
    expect(await explain(line, 'Rent')).toMatchObject({ lineId: line });
    expect(await explain(line, 'Rent')).toBe('conflict');
    expect(await world.sql('SELECT match, explanation FROM bank_line')).toEqual([
      { match: 'explained', explanation: 'Rent' },
    ]);
    expect(await world.sql('SELECT 1 FROM ops.bank_unmatched_lines')).toEqual([]);
    expect(await actions()).toMatchObject([
      { action: 'operatorBankLineExplain', detail: { explanation: 'Rent' } },
    ]);
  });

  it('is refused where another person matches the payment at the same moment', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(shown([nameless(), { ...nameless(), reference: 'B' }]));
    const [first = '', second = ''] = (await lines()).map(({ id }) => id);
    const [action] = await world.sql<{ id: string }>(
      `INSERT INTO ops.action_log (action, subject_id, reason, detail, affected)
       VALUES ('match_bank_line', $1, 'x', '{}', 1) RETURNING id`,
      [first],
    );
    const byHand = { explanation: 'by hand', actionId: action?.id ?? '' };
    const { pool } = world.call.services;
    const refused = await behind(
      pool,
      (client) => matchByHand(client, world.call.scope, first, one.payout, byHand),
      () => match(second, one.payout),
    );
    expect(refused).toBe('conflict');
    expect(await world.sql('SELECT line_id FROM bank_match')).toEqual([{ line_id: first }]);
    expect(await actions()).toEqual([]);
  });

  it('brings a file, which is stored once by its bytes', async () => {
    const content = shown([nameless()]);
    const given = {
      connectionId: world.bank.connection,
      name: 'monday.xml',
      contentBase64: Buffer.from(content).toString('base64'),
    };
    const bring = (more = {}) => mutate('operatorBankFileTake', { ...given, ...more });
    const stored = await bring();
    expect(stored).toMatchObject({ news: true });
    expect(await bring({ name: 'again.xml' })).toEqual({ fileId: stored.fileId, news: false });
    const [file] = await world.sql('SELECT * FROM bank_file');
    expect(file).toMatchObject({ name: 'monday.xml', status: 'received' });
    expect(file?.['taken_by']).toMatch(/^opk_/);
    expect(await world.jobs('read_bank_file')).toMatchObject([
      { payload: { fileId: stored.fileId } },
    ]);
    expect(await actions()).toMatchObject([
      {
        action: 'operatorBankFileTake',
        subject_id: world.bank.connection,
        detail: { sha256: file?.['sha256'], bytes: content.length },
      },
      { action: 'operatorBankFileTake' },
    ]);
    expect(await bring({ connectionId: 'bcn_01k00000000000000000000000' })).toBe('not_found');
    expect(await bring({ environment: 'production' })).toBe('not_found');
    expect(await bring({ contentBase64: 'no base64!' })).toBe('validation_failed');
    expect(await bring({ contentBase64: '' })).toBe('validation_failed');
    expect(await bring({ name: 'x'.repeat(256) })).toBe('validation_failed');
    expect(await actions()).toHaveLength(2);
    expect(await world.sql('SELECT 1 FROM bank_file')).toHaveLength(1);
  });

  it('brings a file of 15 MiB, and says of a larger one that it is too large', async () => {
    const bring = (bytes: number) =>
      mutate('operatorBankFileTake', {
        connectionId: world.bank.connection,
        name: 'year.xml',
        contentBase64: Buffer.alloc(bytes, '<!-- all of the year -->').toString('base64'),
      });
    const most = 15 * 1_048_576;
    expect(await bring(most)).toMatchObject({ news: true });
    const [file] = await world.sql('SELECT size_bytes FROM bank_file');
    expect(Number(file?.['size_bytes'])).toBe(most);
    expect(await bring(most + 3)).toBe('validation_failed');
    // What a business sends has the limit of every other body.
    const large = await world.harness.graphql(
      world.tenant.key,
      `{ me { userId } } # ${'x'.repeat(1_048_576)}`,
    );
    expect(large.status).toBe(413);
  });
});
