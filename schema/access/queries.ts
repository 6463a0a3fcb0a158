import { listAccessChanges } from '../../src/domain/access/change-store.ts';
import { listMembers } from '../../src/domain/access/member-store.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { AccessChange, ApiKey, Member } from './type.ts';

const ApiKeyConnection = builder.connectionObject({
  type: ApiKey,
  name: 'ApiKeyConnection',
  description: 'A page of API keys, newest first.',
});

const MemberConnection = builder.connectionObject({
  type: Member,
  name: 'MemberConnection',
  description: 'A page of members, newest first.',
});

const AccessChangeConnection = builder.connectionObject({
  type: AccessChange,
  name: 'AccessChangeConnection',
  description: 'A page of changes, newest first.',
});

builder.queryFields((t) => ({
  accessChanges: t.field({
    type: AccessChangeConnection,
    description:
      "Changes of the business's settings, members and API keys, newest first, in both environments.",
    args: {
      first: t.arg.int({ description: 'Page size, 25 by default and 100 at most.' }),
      after: t.arg.string({ description: 'endCursor of the page before.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(args.first ?? 25, 100) / 5 }),
    resolve: (_root, { first, after }, context) =>
      resolvePage(context, {
        list: 'accessChanges',
        filter: {},
        first,
        after,
        fetch: (before, take) =>
          listAccessChanges(context.services.pool, context.call.scope, before, take),
      }),
  }),
  apiKeys: t.field({
    type: ApiKeyConnection,
    description: "API keys of the caller's environment, newest first, revoked ones included.",
    args: {
      first: t.arg.int({ description: 'Page size, 25 by default and 100 at most.' }),
      after: t.arg.string({ description: 'endCursor of the page before.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(args.first ?? 25, 100) / 5 }),
    resolve: (_root, { first, after }, context) =>
      resolvePage(context, {
        list: 'apiKeys',
        filter: {},
        first,
        after,
        fetch: (before, take) =>
          context.prisma.apiKey.findMany({
            where: before === null ? {} : { id: { lt: before } },
            orderBy: { id: 'desc' },
            take,
          }),
      }),
  }),
  members: t.field({
    type: MemberConnection,
    description: "Members of the caller's business, newest first.",
    args: {
      first: t.arg.int({ description: 'Page size, 25 by default and 100 at most.' }),
      after: t.arg.string({ description: 'endCursor of the page before.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(args.first ?? 25, 100) / 5 }),
    resolve: (_root, { first, after }, context) =>
      resolvePage(context, {
        list: 'members',
        filter: {},
        first,
        after,
        fetch: (before, take) =>
          listMembers(context.services.pool, context.call.scope, before, take),
      }),
  }),
}));
