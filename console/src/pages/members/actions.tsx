import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import {
  memberInvitationSendDocument,
  memberRemoveDocument,
  memberRoleChangeDocument,
} from '../../../../generated/console-types/pages/members/members.ts';
import { nameOf, type Member } from './member.ts';
import { MemberSessions } from './sessions.tsx';

const words = texts.members;

interface ActionsProps {
  readonly member: Member;
  onDone(): void;
}

/** What can be done with a member. A removed one, and oneself, is left as it is. */
export function MemberActions({ member, onDone }: ActionsProps) {
  const [asked, setAsked] = useState<'sessions' | 'role' | 'remove' | null>(null);
  const send = useAct(memberInvitationSendDocument);
  if (member.removedAt || member.me) return null;
  const done = () => {
    setAsked(null);
    onDone();
  };
  const sendAgain = async () => {
    if ((await send.act({ id: member.id })) !== null)
      announce(words.wasInvited({ email: member.email }));
  };
  return (
    <div className="row">
      {!member.acceptedAt && (
        <Button busy={send.busy} onClick={() => void sendAgain()}>
          {words.sendAgain}
        </Button>
      )}
      {member.acceptedAt && (
        <Button
          onClick={() => setAsked('sessions')}
          aria-label={words.sessions.of({ name: nameOf(member) })}
        >
          {words.sessions.see}
        </Button>
      )}
      <Button
        onClick={() => setAsked('role')}
        aria-label={words.changeRoleOf({ name: nameOf(member) })}
      >
        {words.changeRole}
      </Button>
      <Button
        kind="danger"
        onClick={() => setAsked('remove')}
        aria-label={words.removeOf({ name: nameOf(member) })}
      >
        {words.remove}
      </Button>
      <FaultNote fault={send.fault} />
      <MemberSessions member={member} open={asked === 'sessions'} onClose={() => setAsked(null)} />
      <RoleDialog
        member={member}
        open={asked === 'role'}
        onClose={() => setAsked(null)}
        onDone={done}
      />
      <RemoveDialog
        member={member}
        open={asked === 'remove'}
        onClose={() => setAsked(null)}
        onDone={done}
      />
    </div>
  );
}

interface MemberDialogProps extends ActionsProps {
  readonly open: boolean;
  onClose(): void;
}

function RoleDialog({ member, open, onClose, onDone }: MemberDialogProps) {
  const { act, busy, fault } = useAct(memberRoleChangeDocument);
  const [role, setRole] = useState(member.role);
  return (
    <FormDialog
      title={words.changeRoleOf({ name: nameOf(member) })}
      action={texts.action.save}
      open={open}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        const changed = (await act({ id: member.id, role }))?.memberRoleChange ?? null;
        if (changed === null) return;
        if (changed.role !== role) announce(words.roleWaits);
        onDone();
      }}
    >
      <Choice
        label={words.role}
        options={texts.roles}
        value={role}
        hint={words.roleMeans[role]}
        onChange={(chosen) => setRole(chosen ?? member.role)}
      />
    </FormDialog>
  );
}

function RemoveDialog({ member, open, onClose, onDone }: MemberDialogProps) {
  const { act, busy, fault } = useAct(memberRemoveDocument);
  return (
    <FormDialog
      title={words.removeOf({ name: nameOf(member) })}
      action={words.remove}
      danger
      open={open}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        if ((await act({ id: member.id })) !== null) onDone();
      }}
    >
      <p>{words.removeMeans}</p>
    </FormDialog>
  );
}
