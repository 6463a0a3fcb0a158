import {
  readTimelines,
  type TimelineEntry,
  type timelineKinds,
} from '../../src/domain/payout/timeline.ts';
import { Author, authorOf } from '../access/author.ts';
import { id, json, minorUnits, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { describedEnum } from '../common/described-enum.ts';
import { resolvePage } from '../lists/connection.ts';
import { forwardArgs, pageCost } from '../lists/page-args.ts';
import { loadBy } from '../lists/loader.ts';
import { Payout } from './type.ts';

const TimelineKindEnum = describedEnum<(typeof timelineKinds)[number]>(
  'PayoutTimelineKind',
  'What can happen to a payout.',
  {
    decision: 'Somebody approved it, rejected it or left a note.',
    provider_event: 'A provider reported something about one of its attempts.',
    transition: 'Its state changed.',
    ledger_entry: 'Money was reserved or moved for it in the books.',
    attempt_prepared: 'A submission to a provider was recorded; the call follows.',
    attempt_submitted: 'The provider took the payment.',
    attempt_rejected: 'The provider did not take the payment.',
    event: 'An event for subscribers came into being.',
    delivery_attempt: 'An event was posted to the endpoint.',
    delivery_ended: 'A delivery was confirmed, given up or canceled.',
  },
);

const PayoutTimelineEntry = builder.objectRef<TimelineEntry>('PayoutTimelineEntry').implement({
  description: 'One thing that happened to a payout.',
  fields: (t) =>
    shown(t, {
      at: time('When it happened.'),
      kind: of(TimelineKindEnum, 'What kind of thing it is.'),
      subject: id(
        "The id of the decision, attempt, event, delivery or ledger entry; for a transition its number, for a provider's event the id that the provider gave it.",
      ),
      summary: text('What happened, in a few words.'),
      actor: json.orNull('Who did it, where somebody did: a member, the system or a provider.'),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'The same with the names of today.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      amountMinor: minorUnits.orNull(
        'Of a ledger entry, in minor units of currency; null for anything else.',
      ),
      currency: text.orNull('ISO 4217 code of the amount.'),
    }),
});

const TimelineConnection = connectionOf(
  PayoutTimelineEntry,
  'PayoutTimelineConnection',
  'A page of what happened, oldest first.',
);

const timelineOf = loadBy(
  readTimelines,
  ({ payoutId, after, take }) => `${payoutId} ${after ?? ''} ${take}`,
);

builder.prismaObjectField(Payout, 'timeline', (t) =>
  t.field({
    type: TimelineConnection,
    description:
      'Everything that happened to the payout, oldest first: decisions, transitions, entries in the books, submissions, what providers reported, events and their deliveries.',
    args: forwardArgs,
    // It reads the whole history of the payout, however short the page is.
    complexity: (args) => ({ ...pageCost(20)(args), field: 20 }),
    resolve: ({ id: payoutId }, args, context) =>
      resolvePage(context, {
        list: 'timeline',
        filter: { payoutId },
        args,
        oneWay: true,
        fetch: ({ after, take }) => timelineOf(context, { payoutId, after, take }),
      }),
  }),
);
