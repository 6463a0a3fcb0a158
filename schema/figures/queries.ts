import { deliveryHealth, type DeliveryHealth } from '../../src/domain/figures/deliveries.ts';
import {
  approvalQueue,
  failuresByCode,
  payoutsByDay,
  payoutsByState,
  type DayFigure,
  type QueueFigure,
} from '../../src/domain/figures/payouts.ts';
import { figureRange, type FigureRange } from '../../src/domain/figures/range.ts';
import type { PayoutState } from '../../src/domain/payout/machine.ts';
import { int, minorUnitsTotal, of, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { FailureCodeEnum, PayoutStateEnum } from '../payout/enums.ts';

/** A figure adds up a million entries of an index at worst, which is the work of some hundred rows. */
const figureCost = { field: 500, multiplier: 1 };

const StateFigure = builder
  .objectRef<{ readonly state: PayoutState; readonly count: number }>('PayoutStateFigure')
  .implement({
    description: 'How many payouts are in a state.',
    fields: (t) =>
      shown(t, {
        state: of(PayoutStateEnum, 'The state.'),
        count: int('How many payouts.'),
      }),
  });

const DayFigureType = builder.objectRef<DayFigure>('PayoutDayFigure').implement({
  description: 'The payouts that were created on a day in a currency.',
  fields: (t) =>
    shown(t, {
      day: text('The day, YYYY-MM-DD, in the time zone asked for.'),
      currency: text('ISO 4217 code.'),
      count: int('How many payouts.'),
      amountMinor: minorUnitsTotal('Their amounts together, in minor units of currency.'),
    }),
});

const FailureFigure = builder
  .objectRef<{ readonly failureCode: string | null; readonly count: number }>('PayoutFailureFigure')
  .implement({
    description: 'How many payouts failed or were returned with a code.',
    fields: (t) =>
      shown(t, {
        failureCode: stored.orNull(FailureCodeEnum, 'The code; null where none was given.'),
        count: int('How many payouts.'),
      }),
  });

const QueueFigureType = builder.objectRef<QueueFigure>('ApprovalQueueFigure').implement({
  description: 'How many payouts have waited for a decision for a time.',
  fields: (t) =>
    shown(t, {
      fromMinutes: int('Waits so many minutes or longer.'),
      toMinutes: int.orNull('Waits less than so many minutes; null for the longest waits.'),
      count: int('How many payouts.'),
    }),
});

const DeliveryHealthType = builder.objectRef<DeliveryHealth>('DeliveryHealth').implement({
  description: 'How webhook deliveries fare.',
  fields: (t) =>
    shown(t, {
      pending: t.int({
        description: 'Deliveries planned in the range that are still to be made.',
        resolve: ({ counts }) => counts.pending,
      }),
      delivered: t.int({
        description: 'Deliveries planned in the range that the endpoint confirmed.',
        resolve: ({ counts }) => counts.delivered,
      }),
      dead: t.int({
        description: 'Deliveries planned in the range that were given up after their last attempt.',
        resolve: ({ counts }) => counts.dead,
      }),
      canceled: t.int({
        description: 'Deliveries planned in the range whose endpoint was removed or disabled.',
        resolve: ({ counts }) => counts.canceled,
      }),
      failingSince: time.orNull(
        'When the endpoint began to refuse deliveries, whatever the range; null while it takes them.',
      ),
      failures: int('Failed attempts since then.'),
      lastStatusCode: int.orNull('HTTP status of the latest of them; null where no answer came.'),
      lastError: text.orNull('What went wrong in the latest of them.'),
    }),
});

const Figures = builder.objectRef<FigureRange>('Figures').implement({
  description:
    'Figures of the tenant for a range of days: each is one query, which is sent when the field is selected.',
  fields: (t) =>
    shown(t, {
      from: text('First day, YYYY-MM-DD.'),
      to: text('Last day, YYYY-MM-DD.'),
      timeZone: text('Time zone of the days.'),
      payoutsByState: t.field({
        type: [StateFigure],
        complexity: figureCost,
        description: 'Payouts created in the range by their current state; every state is there.',
        resolve: (range, _args, { call }) => payoutsByState(call, range),
      }),
      payoutsByDay: t.field({
        type: [DayFigureType],
        complexity: figureCost,
        description:
          'Payouts created in the range by day and currency, oldest day first; days without payouts are left out.',
        resolve: (range, _args, { call }) => payoutsByDay(call, range),
      }),
      failuresByCode: t.field({
        type: [FailureFigure],
        complexity: figureCost,
        description:
          'Payouts created in the range that failed or were returned, by code, the most first.',
        resolve: (range, _args, { call }) => failuresByCode(call, range),
      }),
      approvalQueue: t.field({
        type: [QueueFigureType],
        complexity: figureCost,
        description:
          'Payouts that wait for a decision at this moment, whatever the range, by how long they have waited, the shortest waits first.',
        resolve: (_range, _args, { call }) => approvalQueue(call),
      }),
      deliveryHealth: t.field({
        type: DeliveryHealthType,
        complexity: figureCost,
        description: 'How the deliveries fare that were planned in the range, and the endpoint.',
        resolve: (range, _args, { call }) => deliveryHealth(call, range),
      }),
    }),
});

builder.queryField('figures', (t) =>
  t.field({
    type: Figures,
    description:
      'Figures for an overview (docs/dashboards.md). validation_failed for more than 366 days.',
    args: {
      from: t.arg.string({ required: true, description: 'First day, YYYY-MM-DD.' }),
      to: t.arg.string({ required: true, description: 'Last day, YYYY-MM-DD, included.' }),
      timeZone: t.arg.string({
        description:
          'Time zone in which days begin, by its IANA name, for example Europe/Berlin; UTC by default.',
      }),
    },
    resolve: (_root, range, { call }) => figureRange(call, range),
  }),
);
