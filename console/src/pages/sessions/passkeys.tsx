import { useState } from 'react';
import { useMutation } from 'urql';
import type { SessionsQuery } from '../../../../generated/console-types/graphql.ts';
import { knowsPasskeys } from '../../app/passkey.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';
import { AddPasskey } from './add-passkey.tsx';
import { passkeyRemoveDocument } from '../../../../generated/console-types/pages/sessions/sessions.ts';

const words = texts.sessions.passkeys;

interface PasskeysProps {
  readonly passkeys: NonNullable<SessionsQuery['passkeys']>;
  onChange(): void;
}

/** The reader's passkeys, a way to add one and to remove each. */
export function Passkeys({ passkeys, onChange }: PasskeysProps) {
  const [adding, setAdding] = useState(false);
  const [{ error, fetching }, remove] = useMutation(passkeyRemoveDocument);
  const removeOne = async (id: string) => {
    const { error: refused } = await remove({ id });
    if (refused === undefined) announce(words.removed);
    onChange();
  };
  const aside = knowsPasskeys() ? (
    <Button onClick={() => setAdding(true)}>{words.add}</Button>
  ) : (
    <span className="muted small">{words.unsupported}</span>
  );
  return (
    <Card title={words.title} aside={aside} flush>
      <FaultNote fault={error === undefined ? null : faultOf(error)} />
      {passkeys.length === 0 ? (
        <p className="card-body muted">{words.none}</p>
      ) : (
        <Table
          caption={words.caption}
          rows={passkeys}
          rowId={({ id }) => id}
          columns={[
            {
              name: 'name',
              title: words.name,
              cell: ({ name, synced }) => (
                <>
                  <strong>{name}</strong>{' '}
                  <span className="muted small">{synced ? words.synced : words.oneDevice}</span>
                </>
              ),
            },
            { name: 'added', title: words.added, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'used',
              title: words.used,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : words.never),
            },
            {
              name: 'remove',
              title: <span className="hidden">{words.remove}</span>,
              align: 'end',
              cell: ({ id, name }) => (
                <Button
                  kind="danger"
                  busy={fetching}
                  aria-label={words.removeLabel({ name })}
                  onClick={() => void removeOne(id)}
                >
                  {words.remove}
                </Button>
              ),
            },
          ]}
        />
      )}
      <AddPasskey open={adding} onClose={() => setAdding(false)} onAdded={onChange} />
    </Card>
  );
}
