import type { Operation } from '../../../rest/route/route.ts';
import type { Harness, RestAnswer } from '../../support/harness.ts';
import { storedEmails } from '../../support/stored-emails.ts';
import { documentOf, graphqlSlots, sampleVariables } from './graphql-operations.ts';
import type { GraphqlOperation } from './graphql-operations.ts';
import { restBody } from '../../support/matrix/samples.ts';
import { restSlots, type Slot } from './slots.ts';
import { valuesOf, type Target, type World } from '../../support/matrix/world.ts';

/** An operation of either surface, as the isolation matrix calls it. */
export interface Attempted {
  readonly name: string;
  readonly slots: readonly Slot[];
  /** Whether a call can change something, so that each needs parts of its own. */
  readonly writes: boolean;
  /** Calls it in `world`, with `changes` to its otherwise valid input. */
  call(world: World, changes: readonly Change[]): Promise<RestAnswer>;
  /** The cursor of the first page of one row; null where the operation is no list. */
  cursor(world: World): Promise<string | null>;
}

export interface Change {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

interface Tree {
  [key: string | number]: unknown;
}

/** Sets a value deep inside, making the objects and lists on the way. */
function setAt(tree: Tree, path: readonly (string | number)[], value: unknown): void {
  let at = tree;
  for (const [index, step] of path.slice(0, -1).entries()) {
    at[step] ??= typeof path[index + 1] === 'number' ? [] : {};
    at = at[step] as Tree;
  }
  at[path.at(-1) ?? ''] = value;
}

/** The operations that change a payee, by their names. */
const changesPayee = /^(PUT \/v1\/beneficiaries|mutation beneficiaryUpdate)/;

/**
 * The id of a fresh part of the world where there is one, else of any row.
 * @param name of the operation; an id needs none
 */
export async function ownValue(
  harness: Harness,
  world: World,
  target: Target,
  name = '',
): Promise<string> {
  if (target.own !== undefined && world[target.own] !== null) return world[target.own] ?? '';
  const parts: Readonly<Record<string, string>> = {
    'beneficiary.id': world.payee.beneficiaryId,
    'bank_account.id': world.payee.bankAccountId,
    'payout.id': world.payoutId,
    'payout_batch.id': world.payoutBatchId,
    'webhook_delivery.id': world.deliveryId,
    'collection_request.id': world.requestId,
    'tax_document.id': world.documentId,
    'business.id': world.businessId,
    'bank_connection.id': world.connectionId,
    'bank_batch.id': world.batchId,
    'bank_file.id': world.fileId,
    'bank_line.id': world.lineId,
    'bank_stray_answer.id': world.answerId,
    'bank_account_proposal.id': world.proposalId,
  };
  const part = parts[`${target.table}.${target.column}`];
  if (part !== undefined) return part;
  if (target.table === 'beneficiary' && target.column === 'email') {
    const emails = await storedEmails(harness, world.tenantId);
    const { beneficiaryId } = world.payee;
    const other = [...emails.keys()].find((id) => id !== beneficiaryId) ?? '';
    // An address that the payee has is no change; that of another payee is taken.
    return emails.get(changesPayee.test(name) ? other : beneficiaryId) ?? '';
  }
  const [value] = await valuesOf(harness, world, target);
  return value ?? '';
}

interface RestInput extends Tree {
  path: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

async function restInput(
  harness: Harness,
  row: Operation,
  slots: readonly Slot[],
  world: World,
): Promise<RestInput> {
  const path: Record<string, string> = row.path.includes(':country') ? { country: 'US' } : {};
  for (const { path: where, target } of slots) {
    if (where[0] !== 'path' || target === 'cursor') continue;
    path[String(where[1])] = await ownValue(harness, world, target);
  }
  const needed = row.body !== undefined && !row.body.safeParse({}).success;
  const body = row.body === undefined ? undefined : restBody(row.operationId, needed, world);
  return { path, query: {}, body };
}

/** A REST operation as the matrix calls it. */
export function restAttempt(harness: Harness, row: Operation): Attempted {
  const slots = restSlots(row);
  async function send(world: World, changes: readonly Change[]): Promise<RestAnswer> {
    const input = await restInput(harness, row, slots, world);
    for (const { path, value } of changes) setAt(input, path, value);
    const path = row.path.replace(/:(\w+)/g, (_match, name: string) =>
      encodeURIComponent(input.path[name] ?? ''),
    );
    const query = new URLSearchParams(input.query).toString();
    const target = query === '' ? path : `${path}?${query}`;
    return harness.rest(row.method.toUpperCase(), target, { key: world.key, body: input.body });
  }
  return {
    name: `${row.method.toUpperCase()} ${row.path}`,
    slots,
    writes: row.method !== 'get',
    call: send,
    async cursor(world) {
      const answer = await send(world, [{ path: ['query', 'limit'], value: '1' }]);
      return (answer.body?.next_cursor as string | null | undefined) ?? null;
    },
  };
}

/** A GraphQL operation as the matrix calls it, over HTTP. */
export function graphqlAttempt(harness: Harness, operation: GraphqlOperation): Attempted {
  const slots = graphqlSlots(operation);
  async function send(world: World, changes: readonly Change[]): Promise<RestAnswer> {
    const ids = new Map<string, string>();
    for (const { path, target } of slots) {
      const isArgument = path.slice(1).every((step) => step === 0); // an id, or a list of ids
      if (!isArgument || target === 'cursor' || target.column !== 'id') continue;
      ids.set(String(path[0]), await ownValue(harness, world, target));
    }
    const variables: Tree = sampleVariables(operation, world, (name) => ids.get(name));
    for (const { path, value } of changes) setAt(variables, path, value);
    return harness.graphql(world.key, documentOf(operation, world.key !== ''), variables);
  }
  return {
    name: `${operation.kind} ${operation.name}`,
    slots,
    writes: operation.kind === 'mutation',
    call: send,
    async cursor(world) {
      const answer = await send(world, [{ path: ['first'], value: 1 }]);
      return (answer.body?.data?.[operation.name]?.pageInfo?.endCursor as string | null) ?? null;
    },
  };
}
