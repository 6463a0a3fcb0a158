import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import { getDatamodel } from '../generated/pothos.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import { resourceOf } from '../src/values/ids.ts';
import type { Context } from './context.ts';
import type { ListPage } from './lists/page.ts';
import { nodeTypes } from './node-types.ts';

/**
 * Depth, breadth and cost that one operation may have; the REST documents stay far below. A page of 100
 * payouts with all of their fields, transitions and decisions costs some 13,000.
 */
export const limits = { depth: 12, breadth: 300, complexity: 15_000 };

type Measured = Readonly<Record<'complexity' | 'depth' | 'breadth', number>>;

/** How the limits are told to a caller, by the names of the plugin. */
const measures = {
  Depth: ['is', 'depth', 'levels deep', 'select fewer levels'],
  Breadth: ['selects', 'breadth', 'fields', 'select fewer fields'],
  Complexity: ['costs', 'complexity', '', 'ask for fewer rows or fields at a time'],
} as const;

/**
 * The cost of an operation as callers are told it and charged for: an integer, rounded up. A row of some pages
 * counts as a part of one, and such parts add up to a whole one only nearly.
 */
export function wholeCost({ complexity }: Pick<Measured, 'complexity'>): number {
  return Math.ceil(Number(complexity.toFixed(6)));
}

function tooLarge(
  [verb, measure, unit, advice]: (typeof measures)[keyof typeof measures],
  size: Measured,
): DomainError {
  const told = `The operation ${verb} ${Math.ceil(size[measure])} ${unit}`.trim();
  const message = `${told}; the limit is ${limits[measure]}: ${advice}.`;
  return new DomainError('bad_request', { message });
}

/** Throws bad_request for an operation that is larger than the limits. */
export function requireWithinLimits(size: Measured): void {
  for (const measure of Object.values(measures)) {
    if (size[measure[1]] > limits[measure[1]]) throw tooLarge(measure, size);
  }
}

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Connection: Pick<ListPage<unknown>, 'total'>;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: Date };
    MinorUnits: { Input: number | string; Output: bigint };
    MinorUnitsTotal: { Input: string; Output: bigint };
    JSON: { Input: unknown; Output: unknown };
    Base64Bytes: { Input: Uint8Array; Output: Uint8Array };
  };
}>({
  plugins: [RelayPlugin, PrismaPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
    onUnusedQuery: null,
  },
  relay: {
    // The TypeID is global already: nothing is wrapped, the same id works on REST and in SQL.
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => {
      const resource = resourceOf(id);
      return { typename: (resource === null ? undefined : nodeTypes[resource]?.type) ?? '', id };
    },
    nodeQueryOptions: {
      description:
        'Any resource by its id. Null for an id that is unknown, malformed or of another tenant.',
      nullable: true,
      args: { id: { description: 'Id of any resource, for example pay_…' } },
      resolve: (_root, { id }, _context, _info, resolveNode) =>
        id.typename === '' ? null : resolveNode(id),
    },
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'A resource that node and nodes find by its id.' },
    idFieldOptions: { description: 'Id of the resource, the same on REST and in events.' },
    defaultEdgeTypeOptions: { description: 'A row of a page, with its place in the list.' },
    edgesFieldOptions: { description: 'The rows of the page, in the order of the list.' },
    pageInfoFieldOptions: { description: 'Whether there are more rows, and where to go on.' },
    cursorFieldOptions: {
      description: 'The place of the row: give it as after for the rows behind it.',
    },
    nodeFieldOptions: { description: 'The row itself.' },
    pageInfoTypeOptions: { description: 'Where a page is in its list.' },
    hasNextPageFieldOptions: { description: 'Whether rows follow the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the page is not the first.' },
    startCursorFieldOptions: { description: 'Cursor of the first row; null for an empty page.' },
    endCursorFieldOptions: {
      description:
        'Cursor of the last row: give it as after for the next page. Null for an empty page.',
    },
    clientMutationId: 'omit',
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 10,
    // The cost of a document of our own is known when it is written; counting it would slow down each
    // call.
    limit: ({ ownDocument }) => (ownDocument ? {} : limits),
    complexityError: (kind, result) => tooLarge(measures[kind], result),
  },
});

builder.queryType({
  description:
    'Reads. Everything is limited to the tenant of the credential: that of an API key, or the one in which a session works at the moment.',
});
builder.mutationType({
  description:
    'Commands, named object first. Each answers with the changed resource, or with null and an error whose extensions.code is in the error catalogue. They are nullable so that the refusal of one keeps the results of the others.',
});

builder.subscriptionType({
  description:
    'What happens from now on, as server-sent events: POST the operation with Accept: text/event-stream. An operation has one of these fields. docs/dashboards.md shows how to connect and to resume.',
});

/** Which integers a number of JSON holds exactly, and that others are sent as text. */
const exactNumbers = 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2';

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'ISO 8601 date-time in UTC, for example 2026-11-01T09:30:00.000Z.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    if (typeof value !== 'string') throw new GraphQLError('expected an ISO 8601 date-time');
    return value;
  },
});

builder.scalarType('MinorUnits', {
  specifiedByURL: exactNumbers,
  description:
    'One amount: an integer of minor units of a currency (ISO 4217), up to 999,999,999,999. Sums and balances are MinorUnitsTotal.',
  // Twelve digits are far below 2^53: a JSON number holds them exactly.
  serialize: (value) => Number(value),
  // Judged by the command, so that a wrong amount is INVALID_MONEY on every surface.
  parseValue: (value) => (typeof value === 'number' ? value : String(value)),
});

builder.scalarType('MinorUnitsTotal', {
  specifiedByURL: exactNumbers,
  description:
    'A sum or balance of minor units of a currency, exact, in decimal digits: a string, since it may be larger than a JSON number holds (2^53).',
  serialize: (value) => value.toString(),
});

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

builder.scalarType('Base64Bytes', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  description: 'Bytes in base64 with padding (RFC 4648, section 4), on one line.',
  serialize: (value) => Buffer.from(value).toString('base64'),
  parseValue: (value) => {
    // An operation that runs in process passes bytes as they are.
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string' && base64Pattern.test(value)) return Buffer.from(value, 'base64');
    throw new GraphQLError('expected base64 with padding');
  },
});
