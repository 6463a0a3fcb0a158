import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { DeliveryState } from './delivery-state.tsx';
import { Filters } from './filters.tsx';
import { followMs } from './follow.ts';
import { ReplayDialog } from './replay.tsx';
import { Subscription } from './subscription.tsx';
import { webhookDeliveriesDocument } from '../../../../generated/console-types/pages/webhooks/webhooks.ts';

const words = texts.webhooks;

/** Where events are sent, and how each delivery fared. */
export function WebhooksPage() {
  const { after, before, ...chosen } = useSearch({ from: '/shell/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const place = { ...(after ? { after } : {}), ...(before ? { before } : {}) };
  const isNarrowed = Object.keys(chosen).length > 0;
  const fresh = useFresh(
    webhookDeliveriesDocument,
    { ...pageOf(place), filter: chosen },
    { everyMs: (data) => followMs(data?.webhookDeliveries.edges.map(({ node }) => node) ?? []) },
  );
  const mayManage = useMay('webhooks:write');
  const [replaying, setReplaying] = useState(false);
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="stack">
        <Subscription onSent={fresh.refresh} />
        <Card
          title={words.deliveries}
          flush
          aside={
            mayManage && <Button onClick={() => setReplaying(true)}>{words.replayWindow}</Button>
          }
        >
          <Filters chosen={chosen} onChange={(search) => void navigate({ search })} />
          <Listing
            caption={words.deliveries}
            fresh={fresh}
            page={fresh.data?.webhookDeliveries ?? null}
            place={place}
            onPlace={(to) => void navigate({ search: { ...chosen, ...to } })}
            versionOf={(row) => `${row.status} ${row.attemptCount}`}
            empty={<Empty title={isNarrowed ? words.noneFits : words.none} />}
            columns={[
              {
                name: 'event',
                title: words.event,
                cell: ({ id, event }) => (
                  <>
                    <Link to="/webhooks/deliveries/$id" params={{ id }}>
                      {event.type}
                    </Link>
                    <div className="muted small">
                      <Subject of={event} />
                    </div>
                  </>
                ),
              },
              {
                name: 'state',
                title: words.state,
                cell: (row) => <DeliveryState status={row.status} />,
              },
              {
                name: 'attempts',
                title: words.attempts,
                align: 'end',
                cell: ({ attemptCount }) => attemptCount,
              },
              {
                name: 'planned',
                title: words.planned,
                cell: ({ createdAt }) => <Time at={createdAt} />,
              },
              {
                name: 'next',
                title: words.next,
                cell: ({ nextAttemptAt, completedAt }) =>
                  completedAt ? (
                    <Time at={completedAt} />
                  ) : nextAttemptAt ? (
                    <Time at={nextAttemptAt} />
                  ) : (
                    '–'
                  ),
              },
            ]}
          />
        </Card>
      </div>
      <ReplayDialog
        open={replaying}
        onClose={() => setReplaying(false)}
        onDone={() => {
          setReplaying(false);
          fresh.refresh();
        }}
      />
    </Page>
  );
}

interface SubjectProps {
  readonly of: { readonly id: string; readonly payoutId?: string | null };
}

/** What an event tells of: a payout, or nothing but itself. */
function Subject({ of: { id, payoutId } }: SubjectProps) {
  return payoutId ? <PayoutLink id={payoutId} /> : <code>{id}</code>;
}
