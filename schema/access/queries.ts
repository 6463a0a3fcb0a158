import { countAccessChanges, listAccessChanges } from '../../src/domain/access/change-store.ts';
import { countMembers, listMembers } from '../../src/domain/access/member-store.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { builder } from '../builder.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { AccessChange, ApiKey, Member } from './type.ts';

const ApiKeyConnection = countedConnectionOf(
  ApiKey,
  'ApiKeyConnection',
  'A page of API keys, newest first.',
);

const MemberConnection = countedConnectionOf(
  Member,
  'MemberConnection',
  'A page of members, newest first.',
);

const AccessChangeConnection = countedConnectionOf(
  AccessChange,
  'AccessChangeConnection',
  'A page of changes, newest first.',
);

builder.queryFields((t) => ({
  accessChanges: t.field({
    type: AccessChangeConnection,
    description:
      "Changes of the business's settings, members and API keys, newest first, in both environments.",
    args: pageArgs,
    complexity: pageCost(5),
    resolve: (_root, args, context) =>
      resolvePage(context, {
        list: 'accessChanges',
        filter: {},
        args,
        fetch: (range) => listAccessChanges(context.services.pool, context.call.scope, range),
        count: (most) => countAccessChanges(context.services.pool, context.call.scope, most),
      }),
  }),
  apiKeys: t.field({
    type: ApiKeyConnection,
    description: "API keys of the caller's environment, newest first, revoked ones included.",
    args: pageArgs,
    complexity: pageCost(5),
    resolve: (_root, args, context) =>
      resolvePage(context, {
        list: 'apiKeys',
        filter: {},
        args,
        fetch: (range) => context.prisma.apiKey.findMany(newestFirst({}, range)),
        count: (most) => context.prisma.apiKey.count({ take: most }),
      }),
  }),
  members: t.field({
    type: MemberConnection,
    description: "Members of the caller's business, newest first.",
    args: pageArgs,
    complexity: pageCost(5),
    resolve: (_root, args, context) =>
      resolvePage(context, {
        list: 'members',
        filter: {},
        args,
        fetch: (range) => listMembers(context.services.pool, context.call.scope, range),
        count: (most) => countMembers(context.services.pool, context.call.scope, most),
      }),
  }),
}));
