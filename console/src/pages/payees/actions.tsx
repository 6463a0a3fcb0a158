import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { texts } from '../../texts/texts.ts';
import { InviteDialog } from './invite.tsx';
import type { Payee } from './payee.ts';
import {
  payeeAcknowledgeDocument,
  payeeArchiveDocument,
} from '../../../../generated/console-types/pages/payees/payees.ts';

const words = texts.payees;

interface ActionsProps {
  readonly payee: Payee;
  /** Whether the reader came to ask the payee for something. */
  readonly asks: boolean;
  onDone(): void;
}

/** What can be done with a payee. */
export function PayeeActions({ payee, asks, onDone }: ActionsProps) {
  const [asked, setAsked] = useState<'acknowledge' | 'archive' | 'invite' | null>(
    asks ? 'invite' : null,
  );
  const acknowledge = useAct(payeeAcknowledgeDocument);
  const archive = useAct(payeeArchiveDocument);
  const close = () => {
    acknowledge.forget();
    archive.forget();
    setAsked(null);
  };
  const done = (said: string) => {
    announce(said);
    close();
    onDone();
  };
  const waits = !payee.acknowledgedAt || payee.reacknowledgmentRequired;
  return (
    <>
      {waits && (
        <Button kind="primary" onClick={() => setAsked('acknowledge')}>
          {words.acknowledge}
        </Button>
      )}
      <Link className="button" to="/payees/$id/edit" params={{ id: payee.id }}>
        {words.edit}
      </Link>
      <Button onClick={() => setAsked('invite')}>{words.inviteAgain}</Button>
      <Button kind="danger" onClick={() => setAsked('archive')}>
        {words.archive}
      </Button>
      <InviteDialog
        payee={payee}
        open={asked === 'invite'}
        onClose={close}
        onDone={() => done(words.wasInvited({ email: payee.email }))}
      />
      <FormDialog
        title={words.acknowledge}
        action={words.acknowledge}
        open={asked === 'acknowledge'}
        busy={acknowledge.busy}
        fault={acknowledge.fault}
        onClose={close}
        onSubmit={async () => {
          if ((await acknowledge.act({ id: payee.id })) !== null) done(words.wasAcknowledged);
        }}
      >
        <p>{words.acknowledgeMeans}</p>
      </FormDialog>
      <FormDialog
        title={words.archiveOf({ name: payee.displayName })}
        action={words.archive}
        danger
        open={asked === 'archive'}
        busy={archive.busy}
        fault={archive.fault}
        onClose={close}
        onSubmit={async () => {
          if ((await archive.act({ id: payee.id })) !== null) done(words.wasArchived);
        }}
      >
        <p>{words.archiveMeans}</p>
      </FormDialog>
    </>
  );
}
