import { followTransitions, type LiveItem } from '../../src/domain/payout/live/follow.ts';
import type { LiveTransition } from '../../src/domain/payout/live/rows.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { id } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { PayoutTransition } from './relations.ts';
import { Payout } from './type.ts';

/** An item that tells a transition; the others have an id alone and are not executed. */
type Event = LiveItem & { readonly live: LiveTransition };

const LivePayoutTransition = builder.objectRef<Event>('LivePayoutTransition').implement({
  description: "One change of a payout's state, as a stream tells it.",
  fields: (t) =>
    shown(t, {
      id: id(
        'Where to resume: give the id of the last event that you have handled as after, or as the header Last-Event-ID. It is the id of the server-sent event too.',
      ),
      transition: t.field({
        type: PayoutTransition,
        description: 'The change of state. Those of one payout come in the order of their seq.',
        resolve: ({ live }) => live.transition,
      }),
      payout: t.field({
        type: Payout,
        description:
          'The payout when the event is sent. It may have moved on since: the state that this event is about is transition.toState.',
        resolve: ({ live }) => live.payout,
      }),
    }),
});

builder.subscriptionField('payoutTransitions', (t) =>
  t.field({
    type: LivePayoutTransition,
    description:
      "Every change of state of the caller's payouts, from now on or from after on, each once. Throws too_many_requests where the business has too many streams open, and validation_failed (invalid_cursor) for an after of another tenant. Where the stream breaks without the event complete, resume it with the last id.",
    args: {
      after: t.arg.string({
        description:
          'Id of the last event that was handled; what followed it comes first. A header Last-Event-ID overrides it.',
      }),
    },
    subscribe: (_root, { after }, { call, live }) => {
      if (live === null) throw new DomainError('bad_request');
      const { feed, lastId, signal } = live;
      return followTransitions(call, { feed, after: lastId ?? after ?? null, signal });
    },
    // Only items with a transition are executed.
    resolve: (item: LiveItem) => item as Event,
  }),
);
