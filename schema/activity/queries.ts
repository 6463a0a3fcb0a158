import { requirePermission } from '../../src/access/scope.ts';
import { positionOf, readActivity, type Activity } from '../../src/domain/activity/list.ts';
import { activityKinds, type ActivityKind } from '../../src/domain/activity/names.ts';
import { id, of, text, time } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { AccessChange } from '../access/type.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';
import { pageOf } from '../lists/connection.ts';
import { connectionOf } from '../lists/connections.ts';
import { forwardArgs, pageCost } from '../lists/page-args.ts';
import { payoutById, promised } from '../lists/rows.ts';
import { Payout } from '../payout/type.ts';

const ActivityKindEnum = describedEnum<ActivityKind>(
  'ActivityKind',
  'What happened in a business.',
  activityKinds,
);

const ActivityObject = builder.objectRef<Activity>('Activity').implement({
  description: 'One thing that happened in a business, and who did it.',
  fields: (t) =>
    shown(t, {
      id: id(
        'Id of the row that tells of it; a payout has one for its creation and one for its end.',
      ),
      kind: of(ActivityKindEnum, 'What happened.'),
      occurredAt: time('When.'),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'Who did it, with the names of today.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      payout: t.field({
        type: Payout,
        nullable: true,
        description: 'The payout that it is about, as it is today; null where it is about none.',
        resolve: async ({ payoutId }, _args, context) =>
          payoutId === null ? null : promised(await payoutById(context, payoutId)),
      }),
      change: of.orNull(AccessChange, 'What changed, where the kind is access; else null.'),
      detail: text.orNull(
        'The status of a decision, the kind of an export, the name of a file of a bank; else null.',
      ),
    }),
});

const ActivityConnection = connectionOf(
  ActivityObject,
  'ActivityConnection',
  'A page of what happened, newest first.',
);

const ActivityFilter = builder.inputType('ActivityFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    kind: t.field({ type: [ActivityKindEnum], description: 'Of one of these kinds.' }),
    since: t.field({ type: 'DateTime', description: 'At this time or later.' }),
    before: t.field({ type: 'DateTime', description: 'Before this time.' }),
  }),
});

builder.queryField('activity', (t) =>
  t.field({
    type: ActivityConnection,
    description:
      "What happened in the business, newest first: payouts created and canceled, decisions, exports, files of banks, and changes of settings, members, keys, banks and routes. Of what is of one environment, that of the caller's.",
    args: { ...forwardArgs, filter: t.arg({ type: ActivityFilter, description: 'Which of it.' }) },
    complexity: pageCost(5),
    resolve: (_root, { first, after, filter }, context) => {
      const { call } = context;
      requirePermission(call.scope, 'read');
      return pageOf(call.services, call.scope.tenantId, {
        list: 'activity',
        filter: { ...filter },
        args: { first, after },
        oneWay: true,
        fetch: ({ after: position, take }) =>
          readActivity(call, filter ?? {}, { after: position, take }),
        position: positionOf,
      });
    },
  }),
);
