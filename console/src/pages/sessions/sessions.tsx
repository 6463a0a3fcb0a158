import { useState } from 'react';
import { useMutation } from 'urql';
import type { SessionsQuery } from '../../../../generated/console-types/graphql.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';
import { nameOf, sessionColumns } from './session-columns.tsx';
import {
  otherSessionsRevokeDocument,
  sessionRevokeDocument,
} from '../../../../generated/console-types/pages/sessions/sessions.ts';

const words = texts.sessions.sessions;

interface SessionsProps {
  readonly sessions: NonNullable<SessionsQuery['sessions']>;
  onChange(): void;
}

/** The browsers in which the reader is signed in. The present one ends by signing out. */
export function Sessions({ sessions, onChange }: SessionsProps) {
  const [{ error, fetching }, revoke] = useMutation(sessionRevokeDocument);
  const end = async (id: string) => {
    const { error: refused } = await revoke({ id });
    if (refused === undefined) announce(words.ended);
    onChange();
  };
  const isElsewhere = sessions.some(({ current }) => !current);
  return (
    <Card title={words.title} aside={isElsewhere && <EndOthers onDone={onChange} />} flush>
      <FaultNote fault={error === undefined ? null : faultOf(error)} />
      <Table
        caption={words.caption}
        rows={sessions}
        rowId={({ id }) => id}
        columns={[
          ...sessionColumns,
          {
            name: 'end',
            title: <span className="hidden">{words.end}</span>,
            align: 'end',
            cell: (session) =>
              !session.current && (
                <Button
                  kind="danger"
                  busy={fetching}
                  aria-label={words.endLabel({ browser: nameOf(session) })}
                  onClick={() => void end(session.id)}
                >
                  {words.end}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** Signs the reader out of every browser but this one, after saying what that does. */
function EndOthers({ onDone }: { onDone(): void }) {
  const { act, busy, fault, forget } = useAct(otherSessionsRevokeDocument);
  const [open, setOpen] = useState(false);
  const close = () => {
    forget();
    setOpen(false);
  };
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.endOthers}
      </Button>
      <FormDialog
        title={words.endOthers}
        action={words.endOthers}
        danger
        open={open}
        busy={busy}
        fault={fault}
        onClose={close}
        onSubmit={async () => {
          if ((await act({})) === null) return;
          announce(words.othersEnded);
          close();
          onDone();
        }}
      >
        <p>{words.endOthersMeans}</p>
        <p className="muted">{words.endOthersKeeps}</p>
      </FormDialog>
    </>
  );
}
