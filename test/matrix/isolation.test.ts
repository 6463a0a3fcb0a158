import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, resourceOf } from '../../src/values/ids.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import {
  graphqlAttempt,
  ownValue,
  restAttempt,
  type Attempted,
  type Change,
} from './support/attempt.ts';
import { visible } from './support/compare.ts';
import { graphqlOperations, graphqlSlots, nestedArguments } from './support/graphql-operations.ts';
import { operations } from '../support/matrix/rest-operations.ts';
import { restSlots, type Slot } from './support/slots.ts';
import { tenantIds, tenantTables } from '../support/matrix/tenant-statements.ts';
import {
  digest,
  freshParts,
  makeSmallWorld,
  makeWorlds,
  unknownLike,
  valuesOf,
  type Target,
  type World,
} from '../support/matrix/world.ts';
import { useHarness } from '../support/use-harness.ts';
import { withoutRows } from './support/without-rows.ts';

/** Where also the caller's own value makes no difference that the answer shows, and why. */
const sameForOwnValues: readonly (readonly [RegExp, string])[] = [
  [/: .*external_?ref$/i, 'not unique'],
  [
    /^(POST \/v1\/beneficiaries|mutation (bankAccountRegister|beneficiaryCreate)).*idempotency_?key$/i,
    'a key of a payout is none of a payee; test/rest/creation-keys.test.ts tries keys of two tenants',
  ],
  [/: .*decision_?id$/i, 'unique within one payout only, and each call has a payout of its own'],
  [
    /^query (transactions|ledgerEntries)Export: /,
    'names the file; the rows are in the REST answer',
  ],
  [
    /^query screeningHits: /,
    'nobody has a hit here; test/graphql/screening.test.ts has hits of two tenants',
  ],
  [
    /^(mutation sandboxProviderConnectionChange|query providerConnectionCheck): /,
    "the tenant's connection is a bank's; test/graphql/provider-connections.test.ts has accounts",
  ],
  [
    /(payout-batches|payoutBatchCreate): .*(beneficiary|bank_?account)_?id$/i,
    'a draft keeps what was given until it is checked; test/domain/payout-batch/draft.test.ts checks one',
  ],
  [
    /transactions\/export: query.payout_batch_id$/,
    'the batches here are drafts; test/rest/payout-batches.test.ts exports one',
  ],
  [/^mutation exportCreate: /, 'names the export; the rows are in its file'],
  [/(-i|I)nvite.*email$/, "who has the tenant's own address is invited, as a newcomer is"],
  [/^query memberSessions: /, 'nobody is signed in; test/rest/auth/session.test.ts tries who is'],
  [/^mutation operator/, "an operator's command: a member is refused before anything is looked up"],
];
let worlds: Awaited<ReturnType<typeof makeWorlds>>;
let strangersBefore: Record<string, Record<string, string>>;

async function strangers(): Promise<Record<string, Record<string, string>>> {
  const { pool } = harness.database;
  const tables = await tenantTables(pool);
  // The clock adds jobs for the bank connections of every tenant, which wait here for a moment.
  tables.delete('job_outbox');
  return {
    stranger: await digest(pool, tables, worlds.stranger.tenantId),
    production: await digest(pool, tables, worlds.production.tenantId),
  };
}

const harness = useHarness({
  env: { WEBHOOK_RETRY_DELAYS: Array(7).fill(3_600).join(), EXPORT_LIVE_LIMIT: '1000' },
});

beforeAll(async () => {
  worlds = await makeWorlds(harness);
  // Their deliveries fail once; then nothing of theirs moves by itself.
  await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM webhook_delivery WHERE attempts = 0 AND tenant_id = ANY ($1)',
      [[worlds.stranger.tenantId, worlds.production.tenantId]],
    );
    return rows.length === 0;
  });
  strangersBefore = await strangers();
});

/** What fresh parts do not renew. Once the routes lead to one bank alone, they lead there for all that follow. */
const shared = new Set(['membership', 'api_key', 'bank_connection']);

/** Where a write can succeed, each case has a tenant of its own, since what it writes stays. */
async function tenantFor(attempted: Attempted, target: Target): Promise<World> {
  const renewed = target.column === 'id' && !shared.has(target.table);
  if (!attempted.writes || renewed) return worlds.own;
  return makeSmallWorld(harness, await makeTenant(harness));
}

/** Whether a call with a value that nobody has can succeed. */
const makesSomething = ({ writes }: Attempted, { column }: Target): boolean =>
  writes && column !== 'id';

async function withFreshParts(attempted: Attempted, world: World): Promise<World> {
  return attempted.writes ? { ...world, ...(await freshParts(harness, world)) } : world;
}

/** What a caller sees when the slot holds `value`, everything else being their own. */
async function seen(
  attempted: Attempted,
  slot: Slot,
  value: string,
  world: World,
  more: readonly Change[] = [],
): Promise<string> {
  const changes = [...more, { path: slot.path, value }];
  const made = slot.target !== 'cursor' && makesSomething(attempted, slot.target);
  const caller = made ? await withFreshParts(attempted, world) : world;
  const answer = await attempted.call(caller, changes);
  expect(answer.status, answer.text).not.toBe(500);
  expect(answer.text).not.toContain('internal_error');
  return visible(answer, value);
}

/** Values that no row has and that are no well-formed id of the resource. */
function malformed(unknown: string): string[] {
  const resource = resourceOf(unknown);
  if (resource === null) return [];
  return [
    'nonsense',
    `${unknown}0`,
    unknown.toUpperCase(),
    newId(resource === 'event' ? 'payout' : 'event'),
    '\u{1f4b8}',
    '%',
  ];
}

async function checkReference(attempted: Attempted, slot: Slot, target: Target): Promise<void> {
  const world = await tenantFor(attempted, target);
  // A call that makes something needs parts of its own, and one value of each will do.
  const most = makesSomething(attempted, target) ? 1 : 4;
  const theirs = [
    ...(await valuesOf(harness, worlds.stranger, target)).slice(0, most),
    ...(await valuesOf(harness, worlds.production, target)).slice(0, most),
  ];
  const mine = new Set(await valuesOf(harness, world, target));
  const foreign = theirs.filter((value) => !mine.has(value));
  const [sample] = foreign;
  if (sample === undefined) throw new Error(`nobody else has a ${target.table}.${target.column}`);
  const unknown = unknownLike(sample);
  const baseline = await seen(attempted, slot, unknown, world);
  for (const value of foreign) expect(await seen(attempted, slot, value, world)).toBe(baseline);
  if (target.column === 'id') {
    for (const value of malformed(unknown)) {
      expect(await seen(attempted, slot, value, world), JSON.stringify(value)).toBe(baseline);
    }
  }
  // PostgreSQL takes no NUL: what holds one is refused as a text, or is unknown.
  const broken = await seen(attempted, slot, `${unknown.slice(0, -1)}\u0000`, world);
  if (broken !== baseline) expect(broken).toContain('"code":"validation_failed"');
  const name = `${attempted.name}: ${slot.place}`;
  if (sameForOwnValues.some(([pattern]) => pattern.test(name))) return;
  const control = await withFreshParts(attempted, world);
  const value = await ownValue(harness, control, target, name);
  const own = await attempted.call(control, [{ path: slot.path, value }]);
  expect(visible(own, value), 'their own value makes a difference').not.toBe(baseline);
}

async function checkCursor(attempted: Attempted, slot: Slot, others: Attempted[]): Promise<void> {
  const own = await attempted.cursor(worlds.own);
  if (own === null) throw new Error('the list has one row: let makeWorld make two');
  const baseline = await seen(
    attempted,
    slot,
    randomBytes(own.length).toString('base64url'),
    worlds.own,
  );
  expect(baseline).toContain('invalid_cursor');
  for (const world of [worlds.stranger, worlds.production]) {
    const theirs = await attempted.cursor(world);
    expect(theirs).not.toBeNull();
    expect(await seen(attempted, slot, theirs ?? '', worlds.own)).toBe(baseline);
  }
  for (const other of others) {
    const elsewhere = await other.cursor(worlds.own);
    expect(await seen(attempted, slot, elsewhere ?? '', worlds.own), other.name).toBe(baseline);
  }
  for (const filter of attempted.slots.filter(({ target }) => target !== 'cursor')) {
    if (filter.target === 'cursor') continue;
    const [value] = await valuesOf(harness, worlds.own, filter.target);
    const filtered = [{ path: filter.path, value: value ?? '' }];
    expect(await seen(attempted, slot, own, worlds.own, filtered), filter.place).toBe(baseline);
  }
  expect(await seen(attempted, slot, own, worlds.own)).not.toBe(baseline);
}

interface Case {
  readonly name: string;
  readonly slot: Slot;
  readonly attempt: () => Attempted;
  /** The other lists of the same surface. */
  readonly others: () => Attempted[];
}

function casesOf<T>(
  rows: readonly T[],
  slotsOf: (row: T) => Slot[],
  attemptOf: (row: T) => Attempted,
  nameOf: (row: T) => string,
): Case[] {
  const lists = rows.filter((row) => slotsOf(row).some(({ target }) => target === 'cursor'));
  return rows.flatMap((row) =>
    slotsOf(row).map((slot) => ({
      name: `${nameOf(row)}: ${slot.place}`,
      slot,
      attempt: () => attemptOf(row),
      others: () => lists.filter((list) => list !== row).map(attemptOf),
    })),
  );
}

const restCases = casesOf(
  operations,
  restSlots,
  (row) => restAttempt(harness, row),
  (row) => `${row.method.toUpperCase()} ${row.path}`,
);
/** The lists for operators are of no tenant, and refuse each (test/graphql/operator-lists.test.ts). */
const isOfTenant = ({ kind, name }: (typeof graphqlOperations)[number]): boolean =>
  kind === 'mutation' || !name.startsWith('operator');
const graphqlCases = casesOf(
  graphqlOperations.filter(isOfTenant),
  graphqlSlots,
  (operation) => graphqlAttempt(harness, operation),
  ({ kind, name }) => `${kind} ${name}`,
);

const reads = [
  ...operations
    .filter(({ method }) => method === 'get')
    .map((row) => ({ name: row.operationId, attempt: () => restAttempt(harness, row) })),
  ...graphqlOperations
    .filter((operation) => operation.kind === 'query' && isOfTenant(operation))
    .filter(({ name }) => name !== 'node')
    .map((operation) => ({
      name: `query ${operation.name}`,
      attempt: () => graphqlAttempt(harness, operation),
    })),
];

// Before anything else: an export that others are asked for names them in its own filter.
it('shows nobody the id of a row of others, whether or not a read can be told which to find', async () => {
  const { pool } = harness.database;
  const tables = await tenantTables(pool);
  const idsOf = ({ tenantId }: World) => tenantIds(pool, tables, tenantId);
  const theirs = [...(await idsOf(worlds.stranger)), ...(await idsOf(worlds.production))];
  const mine = new Set(await idsOf(worlds.own));
  const empty = new Set<string>();
  for (const { name, attempt } of reads) {
    const { text } = await attempt().call(worlds.own, []);
    expect(
      theirs.filter((id) => text.includes(id)),
      name,
    ).toEqual([]);
    if (!mine.values().some((id) => text.includes(id))) empty.add(name);
  }
  expect(empty).toEqual(withoutRows);
});

describe.each([
  ['REST', restCases],
  ['GraphQL', graphqlCases],
])('what is not theirs is as unknown to a caller of %s', (_surface, cases) => {
  it.each(cases)('$name', async ({ slot, attempt, others }) => {
    const { target } = slot;
    if (target === 'cursor') await checkCursor(attempt(), slot, others());
    else await checkReference(attempt(), slot, target);
  });
});

/** The lists with a cursor below the operations, and what each is a list of. */
const nestedLists: readonly {
  readonly type: string;
  readonly field: string;
  readonly of: (world: World) => string;
}[] = [
  { type: 'Beneficiary', field: 'payouts', of: ({ payee }) => payee.beneficiaryId },
  { type: 'Payout', field: 'decisions', of: ({ payoutId }) => payoutId },
  { type: 'Payout', field: 'timeline', of: ({ payoutId }) => payoutId },
];

it('has no field with arguments below the operations, which the walk would not see', () => {
  // Numbers name nothing of anybody's.
  const numbered = [
    'BankBatch.payments',
    'Beneficiary.history',
    'Payout.attempts',
    'Payout.transitions',
    'WebhookDelivery.attempts',
  ];
  const paged = nestedLists.map(({ type, field }) => `${type}.${field}`);
  expect(nestedArguments().toSorted()).toEqual([...numbered, ...paged].toSorted());
});

it.each(nestedLists)('takes no cursor of another $type: $field', async ({ type, field, of }) => {
  const query = `query ($id: ID!, $after: String) {
    node(id: $id) { ... on ${type} { ${field}(first: 1, after: $after) { edges { cursor } } } }
  }`;
  const { own, stranger, production } = worlds;
  const ask = (world: World, after: string | null) =>
    harness.graphql(world.key, query, { id: of(world), after });
  const cursorOf = async (world: World): Promise<string> => {
    const { body, text } = await ask(world, null);
    const [edge] = body.data.node[field].edges;
    if (edge === undefined) throw new Error(`no page of ${field}: ${text}`);
    return edge.cursor;
  };
  const refusal = async (after: string) => visible(await ask(own, after), after);
  const baseline = await refusal(randomBytes(60).toString('base64url'));
  expect(baseline).toContain('invalid_cursor');
  for (const world of [stranger, production]) {
    expect(await refusal(await cursorOf(world))).toBe(baseline);
  }
  const another = { ...own, ...(await freshParts(harness, own)) };
  await harness.rest('POST', `/v1/payouts/${another.payoutId}/decisions`, {
    key: own.key,
    body: { decision_id: newUlid(), status: 'pending_review' },
  });
  expect(await refusal(await cursorOf(another)), 'of another of their own').toBe(baseline);
  expect(await refusal(await cursorOf(own))).not.toContain('invalid_cursor');
});

it('answers node(id:) of any row of another tenant as of an unknown id', async () => {
  const { pool } = harness.database;
  const { rows } = await pool.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'text'`,
  );
  const platform = new Set(['business', 'membership', 'app_user', 'api_key']);
  const tables = [...(await tenantTables(pool)), ...platform];
  const named = rows.map(({ table }) => table).filter((table) => tables.includes(table));
  const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
  const ask = async (id: string) => (await harness.graphql(worlds.own.key, query, { id })).text;
  const unknown = await ask(newId('payout'));
  expect(unknown).toMatch(/^\{"data":\{"node":null\},/);
  const found = new Set<string>();
  for (const table of named) {
    const target = { table, column: 'id' };
    const own = new Set(await valuesOf(harness, worlds.own, target).catch(() => []));
    for (const world of [worlds.stranger, worlds.production]) {
      for (const id of await valuesOf(harness, world, target).catch(() => [])) {
        if (own.has(id)) continue; // the business and its members are the same in both environments
        expect(await ask(id), id).toBe(unknown);
        found.add(table);
      }
    }
  }
  const asked = [
    'beneficiary',
    'bank_account',
    'payout',
    'event',
    'webhook_delivery',
    'bank_connection',
    'bank_batch',
    'bank_file',
    'bank_line',
    'bank_stray_answer',
    'bank_account_proposal',
  ];
  expect([...found]).toEqual(expect.arrayContaining(asked));
  expect(await ask(worlds.own.payoutId)).toContain(worlds.own.payoutId);
});

it('changed no row of the others', async () => {
  expect(await strangers()).toEqual(strangersBefore);
});
