import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payee } from './payee.ts';
import { payeeRequestCancelDocument } from '../../../../generated/console-types/pages/payees/payees.ts';

const words = texts.payees;

const tones: Readonly<Record<keyof typeof words.requestStates, Tone>> = {
  live: 'wait',
  submitted: 'good',
  canceled: 'calm',
  superseded: 'calm',
  expired: 'bad',
};

interface InvitesProps {
  readonly payee: Payee;
  onDone(): void;
}

/** What the payee was asked for, whether the mail came through, and whether they answered. */
export function Invites({ payee, onDone }: InvitesProps) {
  const { act, busy, fault } = useAct(payeeRequestCancelDocument);
  const mayWrite = useMay('payees:write');
  const cancel = async (id: string) => {
    if ((await act({ beneficiaryId: payee.id, id })) !== null) onDone();
  };
  return (
    <Card title={words.invites} flush>
      <FaultNote fault={fault} />
      {payee.collectionRequests.length === 0 ? (
        <Empty title={words.noInvite} />
      ) : (
        <Table
          caption={words.invites}
          rows={payee.collectionRequests}
          rowId={({ id }) => id}
          columns={[
            { name: 'scope', title: words.scope, cell: ({ scope }) => words.scopes[scope] },
            {
              name: 'state',
              title: words.state,
              cell: ({ state }) => (
                <StateMark tone={tones[state]}>{words.requestStates[state]}</StateMark>
              ),
            },
            {
              name: 'mail',
              title: words.mail,
              cell: ({ mailStatus, mailError }) => (
                <>
                  {words.mails[mailStatus]}
                  {mailError && <div className="muted small">{mailError}</div>}
                </>
              ),
            },
            { name: 'made', title: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'ended',
              title: words.ended,
              cell: ({ closedAt, expiresAt }) => <Time at={closedAt ?? expiresAt} />,
            },
            {
              name: 'actions',
              title: words.actions,
              cell: ({ id, state }) =>
                mayWrite &&
                state === 'live' && (
                  <Button busy={busy} onClick={() => void cancel(id)}>
                    {words.cancelInvite}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}
