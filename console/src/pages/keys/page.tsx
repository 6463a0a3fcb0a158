import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { TypedDocumentNode } from 'urql';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type {
  ApiKeyConfirmMutation,
  ApiKeyRevokeMutation,
  ApiKeysQuery,
} from '../../../../generated/console-types/graphql.ts';
import { MakeKey } from './make.tsx';
import {
  apiKeyConfirmDocument,
  apiKeyRevokeDocument,
  apiKeysDocument,
} from '../../../../generated/console-types/pages/keys/keys.ts';

const words = texts.keys;
type Key = ApiKeysQuery['apiKeys']['edges'][number]['node'];

/** The keys of which a dialog asks. */
interface AskedKeys {
  readonly revoke: Key | null;
  readonly confirm: Key | null;
}

/** The keys with which programs call the service; each is shown whole once, when it is made. */
export function KeysPage() {
  const place = useSearch({ from: '/shell/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const fresh = useFresh(apiKeysDocument, pageOf(place));
  const mayManage = useMay('access:write');
  const { environment } = useSession().viewer;
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<AskedKeys>({ revoke: null, confirm: null });
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayManage && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            {words.make}
          </Button>
        )
      }
    >
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.apiKeys ?? null}
          place={place}
          onPlace={(to) => void navigate({ search: to })}
          versionOf={({ revokedAt, heldAt }) => `${revokedAt ?? ''} ${heldAt ?? ''}`}
          empty={<Empty title={words.empty} />}
          columns={[
            {
              name: 'name',
              title: words.name,
              cell: ({ name, id }) => (
                <>
                  <strong>{name ?? words.unnamed}</strong>
                  <div className="muted small">
                    <code>{id}</code>
                  </div>
                </>
              ),
            },
            { name: 'role', title: words.role, cell: ({ role }) => texts.roles[role] },
            {
              name: 'environment',
              title: words.environment,
              cell: (key) => texts.environment[key.environment],
            },
            { name: 'made', title: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'used',
              title: words.used,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : words.never),
            },
            {
              name: 'state',
              title: words.state,
              cell: (key) => <KeyState of={key} />,
            },
            ...(mayManage
              ? [
                  {
                    name: 'actions',
                    title: words.actions,
                    cell: (key: Key) =>
                      !key.revokedAt && (
                        <KeyActions
                          of={key}
                          onConfirm={() => setAsked({ ...asked, confirm: key })}
                          onRevoke={() => setAsked({ ...asked, revoke: key })}
                        />
                      ),
                  },
                ]
              : []),
          ]}
        />
      </Card>
      <MakeKey
        open={making}
        environment={environment ?? 'sandbox'}
        onClose={() => {
          setMaking(false);
          fresh.refresh();
        }}
      />
      <KeyDialogs
        asked={asked}
        onClose={() => setAsked({ revoke: null, confirm: null })}
        onDone={fresh.refresh}
      />
    </Page>
  );
}

/** Whether a key works, was revoked, or waits since it was made before the proof. */
function KeyState({ of: { revokedAt, heldAt } }: { readonly of: Key }) {
  if (revokedAt) return <StateMark tone="calm">{words.revoked}</StateMark>;
  if (heldAt) return <StateMark tone="wait">{words.held}</StateMark>;
  return <StateMark tone="good">{words.works}</StateMark>;
}

interface KeyActionsProps {
  readonly of: Key;
  onConfirm(): void;
  onRevoke(): void;
}

/** What can be done with a key that was not revoked. */
function KeyActions({ of: { id, name, heldAt }, onConfirm, onRevoke }: KeyActionsProps) {
  return (
    <>
      {heldAt && (
        <Button
          kind="primary"
          onClick={onConfirm}
          aria-label={words.confirmOf({ name: name ?? id })}
        >
          {words.confirm}
        </Button>
      )}
      <Button kind="danger" onClick={onRevoke} aria-label={words.revokeOf({ name: name ?? id })}>
        {words.revoke}
      </Button>
    </>
  );
}

/** One thing that is done with a key, once its dialog is confirmed. */
interface KeyAct<Data> {
  readonly document: TypedDocumentNode<Data, { id: string }>;
  titleOf(name: string): string;
  readonly action: string;
  readonly means: string;
  readonly done: string;
  readonly danger?: boolean;
}

const revoking: KeyAct<ApiKeyRevokeMutation> = {
  document: apiKeyRevokeDocument,
  titleOf: (name) => words.revokeOf({ name }),
  action: words.revoke,
  means: words.revokeMeans,
  done: words.wasRevoked,
  danger: true,
};

const confirming: KeyAct<ApiKeyConfirmMutation> = {
  document: apiKeyConfirmDocument,
  titleOf: (name) => words.confirmOf({ name }),
  action: words.confirm,
  means: words.confirmMeans,
  done: words.wasConfirmed,
};

interface DialogProps<Data> {
  readonly to: KeyAct<Data>;
  readonly keyOf: Key | null;
  onClose(): void;
  onDone(): void;
}

function KeyDialog<Data>({ to, keyOf, onClose, onDone }: DialogProps<Data>) {
  const { act, busy, fault } = useAct(to.document);
  return (
    <FormDialog
      title={to.titleOf(keyOf?.name ?? keyOf?.id ?? '')}
      action={to.action}
      danger={to.danger ?? false}
      open={keyOf !== null}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        if (keyOf === null || (await act({ id: keyOf.id })) === null) return;
        announce(to.done);
        onClose();
        onDone();
      }}
    >
      <p>{to.means}</p>
    </FormDialog>
  );
}

interface DialogsProps {
  readonly asked: AskedKeys;
  onClose(): void;
  onDone(): void;
}

function KeyDialogs({ asked, ...ends }: DialogsProps) {
  return (
    <>
      <KeyDialog to={revoking} keyOf={asked.revoke} {...ends} />
      <KeyDialog to={confirming} keyOf={asked.confirm} {...ends} />
    </>
  );
}
