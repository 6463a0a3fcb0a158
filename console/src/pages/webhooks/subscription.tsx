import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { Pending } from '../../parts/pending.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { eventTypes } from './event-types.ts';
import { dayBefore } from '../../values/time.ts';
import type { WebhookSubscriptionQuery } from '../../../../generated/console-types/graphql.ts';
import { RegisterDialog } from './register.tsx';
import {
  webhookSubscriptionDeleteDocument,
  webhookSubscriptionDocument,
  webhookSubscriptionUpdateDocument,
  webhookTestDocument,
} from '../../../../generated/console-types/pages/webhooks/webhooks.ts';

const words = texts.webhooks;
type ShownSubscription = NonNullable<WebhookSubscriptionQuery['webhookSubscription']>;

/** The one endpoint of the environment, whether it takes deliveries, and what can be done with it. */
export function Subscription({ onSent }: { onSent(): void }) {
  const range = { from: dayBefore(6), to: dayBefore(0) };
  const fresh = useFresh(webhookSubscriptionDocument, range);
  const { data, refresh } = fresh;
  const mayManage = useMay('webhooks:write');
  const [registering, setRegistering] = useState(false);
  if (data === null) {
    return (
      <Card title={words.endpoint}>
        <Pending of={fresh} lines={3} />
      </Card>
    );
  }
  const found = data.webhookSubscription ?? null;
  const { deliveryHealth: health } = data.figures;
  return (
    <Card title={words.endpoint}>
      {found === null ? (
        <Empty title={words.noEndpoint}>
          <p>{words.noEndpointHint}</p>
          {mayManage && (
            <Button kind="primary" onClick={() => setRegistering(true)}>
              {words.register}
            </Button>
          )}
        </Empty>
      ) : (
        <div className="stack">
          {health.failingSince && (
            <Note tone="bad">
              {words.failing({ count: health.failures })} <Time at={health.failingSince} />{' '}
              {health.lastStatusCode
                ? words.answered({ status: health.lastStatusCode })
                : health.lastError}
            </Note>
          )}
          {found.pendingUrl && (
            <Note tone="wait">
              {words.pending} <code>{found.pendingUrl}</code>
            </Note>
          )}
          <Facts
            facts={[
              [words.url, <code key="url">{found.url}</code>],
              [
                words.state,
                <StateMark key="state" tone={found.enabled ? 'good' : 'calm'}>
                  {found.enabled ? words.enabled : words.disabled}
                </StateMark>,
              ],
              [words.events, found.enabledEvents.join(', ')],
              [
                words.week,
                words.counts({
                  delivered: health.delivered,
                  pending: health.pending,
                  dead: health.dead,
                }),
              ],
              [words.changed, <Time key="changed" at={found.updatedAt} />],
            ]}
          />
          {mayManage && (
            <SubscriptionActions
              found={found}
              onChange={refresh}
              onSent={onSent}
              onRegister={() => setRegistering(true)}
            />
          )}
        </div>
      )}
      <RegisterDialog
        open={registering}
        url={found?.url ?? ''}
        events={found?.enabledEvents ?? eventTypes}
        onClose={() => {
          setRegistering(false);
          refresh();
        }}
      />
    </Card>
  );
}

interface ActionsProps {
  readonly found: ShownSubscription;
  onChange(): void;
  onSent(): void;
  onRegister(): void;
}

function SubscriptionActions({ found, onChange, onSent, onRegister }: ActionsProps) {
  const test = useAct(webhookTestDocument);
  const update = useAct(webhookSubscriptionUpdateDocument);
  const [removing, setRemoving] = useState(false);
  const sendTest = async () => {
    if ((await test.act({})) === null) return;
    announce(words.tested);
    onSent();
  };
  const toggle = async () => {
    if ((await update.act({ input: { enabled: !found.enabled } })) !== null) onChange();
  };
  const goTo = async (url: string) => {
    if ((await update.act({ input: { url } })) !== null) onChange();
  };
  const { pendingUrl } = found;
  return (
    <>
      {pendingUrl && (
        <div className="row">
          <Button kind="primary" busy={update.busy} onClick={() => void goTo(pendingUrl)}>
            {words.confirmPending}
          </Button>
          <Button busy={update.busy} onClick={() => void goTo(found.url)}>
            {words.withdrawPending}
          </Button>
        </div>
      )}
      <div className="row">
        <Button busy={test.busy} onClick={() => void sendTest()}>
          {words.test}
        </Button>
        <Button onClick={onRegister}>{words.rotate}</Button>
        <Button busy={update.busy} onClick={() => void toggle()}>
          {found.enabled ? words.disable : words.enable}
        </Button>
        <Button kind="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      </div>
      <FaultNote fault={test.fault ?? update.fault} />
      <RemoveDialog open={removing} onClose={() => setRemoving(false)} onDone={onChange} />
    </>
  );
}

interface RemoveProps {
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

function RemoveDialog({ open, onClose, onDone }: RemoveProps) {
  const { act, busy, fault } = useAct(webhookSubscriptionDeleteDocument);
  return (
    <FormDialog
      title={words.remove}
      action={words.remove}
      danger
      open={open}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        if ((await act({})) === null) return;
        onClose();
        onDone();
      }}
    >
      <p>{words.removeMeans}</p>
    </FormDialog>
  );
}
