import { Link, useParams } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { DeliveryState } from './delivery-state.tsx';
import { followMs } from './follow.ts';
import {
  webhookDeliveryDocument,
  webhookDeliveryRedeliverDocument,
} from '../../../../generated/console-types/pages/webhooks/webhooks.ts';

const words = texts.webhooks;

/** One delivery: what was sent, each attempt, and a way to send it again. */
export function DeliveryPage() {
  const { id } = useParams({ from: '/shell/webhooks/deliveries/$id' });
  const fresh = useFresh(
    webhookDeliveryDocument,
    { id },
    { everyMs: (data) => followMs(data?.webhookDelivery ? [data.webhookDelivery] : []) },
  );
  const { data, refresh } = fresh;
  const mayManage = useMay('webhooks:write');
  const redeliver = useAct(webhookDeliveryRedeliverDocument);
  const delivery = data?.webhookDelivery ?? null;
  if (delivery === null) {
    return (
      <Page title={words.delivery}>
        {data === null ? <Pending of={fresh} /> : <Empty title={words.noDelivery} />}
      </Page>
    );
  }
  const again = async () => {
    if ((await redeliver.act({ id })) === null) return;
    announce(words.replayed({ count: 1 }));
    refresh();
  };
  return (
    <Page
      title={delivery.event.type}
      lead={<Link to="/webhooks">{words.title}</Link>}
      actions={
        mayManage &&
        delivery.status !== 'pending' && (
          <Button kind="primary" busy={redeliver.busy} onClick={() => void again()}>
            {words.again}
          </Button>
        )
      }
    >
      <div className="stack">
        <FaultNote fault={redeliver.fault} />
        <Card title={words.delivery}>
          <Facts
            facts={[
              [words.state, <DeliveryState key="state" status={delivery.status} />],
              [words.id, <CopyId key="id" value={delivery.id} name={words.delivery} />],
              [words.event, <CopyId key="event" value={delivery.event.id} name={words.event} />],
              [
                words.payout,
                delivery.event.payoutId && <PayoutLink key="payout" id={delivery.event.payoutId} />,
              ],
              [words.happened, <Time key="happened" at={delivery.event.occurredAt} />],
              [
                words.next,
                delivery.nextAttemptAt && <Time key="next" at={delivery.nextAttemptAt} />,
              ],
            ]}
          />
        </Card>
        <Card title={words.attempts} flush>
          {delivery.attempts.length === 0 ? (
            <Empty title={words.noAttempt} />
          ) : (
            <Table
              caption={words.attempts}
              rows={delivery.attempts}
              rowId={({ number }) => String(number)}
              columns={[
                { name: 'number', title: words.number, cell: ({ number }) => number },
                { name: 'at', title: words.at, cell: ({ startedAt }) => <Time at={startedAt} /> },
                {
                  name: 'answer',
                  title: words.answer,
                  cell: ({ statusCode, error, answer }) => (
                    <>
                      {statusCode ?? error}
                      {answer && <div className="small muted">{answer}</div>}
                    </>
                  ),
                },
                {
                  name: 'took',
                  title: words.took,
                  align: 'end',
                  cell: ({ latencyMs }) => words.ms({ value: latencyMs }),
                },
              ]}
            />
          )}
        </Card>
        <Card title={words.sent}>
          <pre className="payload">{JSON.stringify(delivery.event.data, null, 2)}</pre>
        </Card>
      </div>
    </Page>
  );
}
