import { z } from 'zod';
import type { Prisma } from '../../generated/prisma/client.ts';
import { requirePermission } from '../../src/access/scope.ts';
import { deliveryStatuses } from '../../src/domain/webhook/delivery/delivery-store.ts';
import { deliveryIdsWithin } from '../../src/domain/webhook/delivery/id-range.ts';
import { dateTime, text } from '../../src/values/fields.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { isId } from '../../src/values/ids.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { deliveredEventTypes } from './event-types.ts';
import { WebhookDelivery, WebhookDeliveryStatusEnum, WebhookSubscription } from './type.ts';

const WebhookDeliveryConnection = countedConnectionOf(
  WebhookDelivery,
  'WebhookDeliveryConnection',
  'A page of webhook deliveries, newest first.',
);

const WebhookDeliveryFilter = builder.inputType('WebhookDeliveryFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    eventType: t.string({ description: `Of events of this type. ${deliveredEventTypes}` }),
    status: t.field({ type: WebhookDeliveryStatusEnum, description: 'With this status.' }),
    payoutId: t.id({ description: 'Of events of this payout.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before this time.' }),
  }),
});

/** A text of a caller's can hold what PostgreSQL refuses, and a date be none. */
const filterInput = z.strictObject({
  eventType: text().nullish(),
  status: z.enum(deliveryStatuses).nullish(),
  payoutId: text().nullish(),
  createdSince: dateTime.nullish(),
  createdBefore: dateTime.nullish(),
});

function where(given: unknown): Prisma.WebhookDeliveryWhereInput {
  const filter = parseInput(filterInput, given);
  const { eventType, payoutId, status, createdSince, createdBefore } = filter;
  const since = createdSince ? new Date(createdSince) : null;
  const before = createdBefore ? new Date(createdBefore) : null;
  const ids = deliveryIdsWithin(since, before);
  return {
    ...(status ? { status } : {}),
    ...(eventType ? { eventType } : {}),
    ...(payoutId ? { event: { payoutId } } : {}),
    AND: [
      ...(since === null ? [] : [{ createdAt: { gte: since }, id: { gte: ids.from } }]),
      ...(before === null ? [] : [{ createdAt: { lt: before }, id: { lt: ids.to } }]),
    ],
  };
}

builder.queryFields((t) => ({
  webhookSubscription: t.prismaField({
    type: WebhookSubscription,
    nullable: true,
    description: "The tenant's webhook endpoint; null when there is none.",
    resolve: (query, _root, _args, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      return context.prisma.webhookSubscription.findUnique({
        ...query,
        where: { tenantId: scope.tenantId },
      });
    },
  }),
  webhookDelivery: t.prismaField({
    type: WebhookDelivery,
    nullable: true,
    description: 'A delivery by its id; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    resolve: (query, _root, { id }, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      if (!isId('webhookDelivery', id)) return null;
      return context.prisma.webhookDelivery.findUnique({
        ...query,
        where: { tenantId_id: { tenantId: scope.tenantId, id } },
      });
    },
  }),
  webhookDeliveries: t.field({
    type: WebhookDeliveryConnection,
    description: 'Deliveries of events to the endpoint, newest first.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: WebhookDeliveryFilter, description: 'Which deliveries.' }),
    },
    complexity: pageCost(5),
    resolve: async (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = where(args.filter ?? {});
      return resolvePage(context, {
        list: 'webhookDeliveries',
        filter: { ...filter },
        args,
        fetch: (range) => context.prisma.webhookDelivery.findMany(newestFirst(filter, range)),
        count: (most) => context.prisma.webhookDelivery.count({ where: filter, take: most }),
      });
    },
  }),
}));
