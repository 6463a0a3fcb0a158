import { requirePermission } from '../../src/access/scope.ts';
import {
  countEvents,
  eventPosition,
  eventsFilter,
  readEvents,
} from '../../src/domain/event/list.ts';
import { isId } from '../../src/values/ids.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { countedPageCost, pageArgs } from '../lists/page-args.ts';
import { deliveredEventTypes } from './event-types.ts';
import { Event } from './type.ts';

const EventConnection = countedConnectionOf(
  Event,
  'EventConnection',
  'A page of events: newest first, or with since in the order in which they were recorded.',
);

const EventFilter = builder.inputType('EventFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    type: t.stringList({ description: `Of one of these types. ${deliveredEventTypes}` }),
    since: t.field({
      type: 'DateTime',
      description:
        'Recorded at this time or later. The list then runs oldest first, and leaves out for a moment what an open transaction may still precede.',
    }),
  }),
});

builder.queryFields((t) => ({
  event: t.prismaField({
    type: Event,
    nullable: true,
    description: 'An event by its id; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the event.' }) },
    resolve: (query, _root, { id }, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      if (!isId('event', id)) return null;
      return context.prisma.event.findUnique({
        ...query,
        where: { tenantId_id: { tenantId: scope.tenantId, id } },
      });
    },
  }),
  events: t.field({
    type: EventConnection,
    description:
      'Events, whether or not they were sent. Types that are recorded on request are there from when an endpoint named them.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: EventFilter, description: 'Which events.' }),
    },
    complexity: countedPageCost,
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = parseInput(eventsFilter, args.filter ?? {});
      return resolvePage(context, {
        list: 'events',
        filter: { ...filter },
        args,
        position: eventPosition,
        fetch: (range) => readEvents(context.call, filter, range),
        count: (most) => countEvents(context.call, filter, most),
      });
    },
  }),
}));
