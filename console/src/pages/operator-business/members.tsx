import { useState } from 'react';
import {
  operatorMemberInvitationSendDocument,
  operatorProductionKeyIssueDocument,
} from '../../../../generated/console-types/pages/operator-business/business.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatedBusiness } from './operated.ts';
import { Reason } from './reason.tsx';

const words = texts.operatorBusiness.members;
const common = texts.operatorBusiness;

type Member = OperatedBusiness['members'][number];

interface Asked {
  readonly what: 'key' | 'invite';
  readonly member: Member;
}

interface MembersProps {
  readonly business: OperatedBusiness;
  onDone(): void;
}

/** The members of a business by their roles, and their ways to a key of production. */
export function Members({ business, onDone }: MembersProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const isAccepted = business.profile.profileStatus === 'accepted';
  return (
    <Card title={words.title} flush aside={<span className="muted small">{words.lead}</span>}>
      <Table
        caption={words.title}
        rows={business.members}
        rowId={({ id }) => id}
        columns={[
          { name: 'member', title: words.member, cell: ({ id }) => <code>{id}</code> },
          { name: 'role', title: words.role, cell: ({ role }) => texts.roles[role] },
          {
            name: 'state',
            title: words.state,
            cell: ({ acceptedAt }) => (
              <StateMark tone={acceptedAt === null ? 'wait' : 'good'}>
                {acceptedAt === null ? texts.members.invited : texts.members.active}
              </StateMark>
            ),
          },
          {
            name: 'actions',
            title: texts.operatorBanks.actions,
            cell: (member) =>
              isAccepted ? (
                <div className="row">
                  <Button
                    aria-label={words.inviteOf({ id: member.id })}
                    onClick={() => setAsked({ what: 'invite', member })}
                  >
                    {words.invite}
                  </Button>
                  <Button
                    aria-label={words.keyOf({ id: member.id })}
                    onClick={() => setAsked({ what: 'key', member })}
                  >
                    {words.key}
                  </Button>
                </div>
              ) : (
                <span className="muted small">{words.afterProfile}</span>
              ),
          },
        ]}
      />
      <IssueKey business={business} asked={asked} onClose={() => setAsked(null)} onDone={onDone} />
      <Invite business={business} asked={asked} onClose={() => setAsked(null)} onDone={onDone} />
    </Card>
  );
}

interface DialogProps extends MembersProps {
  readonly asked: Asked | null;
  onClose(): void;
}

/** Issues a key and shows it this once; nothing is shown where it waits for a second operator. */
function IssueKey({ business, asked, onClose, onDone }: DialogProps) {
  const { act, busy, fault, forget } = useAct(operatorProductionKeyIssueDocument);
  const [role, setRole] = useState<keyof typeof texts.roles>('developer');
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        title={words.key}
        action={words.key}
        open={asked?.what === 'key'}
        busy={busy}
        fault={fault}
        onClose={() => {
          forget();
          onClose();
        }}
        onSubmit={async (given) => {
          const done = await act({
            businessId: business.id,
            membershipId: asked?.member.id ?? '',
            role,
            reason: given('reason'),
          });
          if (done === null) return;
          setKey(done.operatorProductionKeyIssue?.key ?? null);
          announce(done.operatorProductionKeyIssue === null ? common.proposed : words.issued);
          onClose();
          onDone();
        }}
      >
        <p>{words.keyMeans}</p>
        <Choice
          label={words.role}
          options={texts.roles}
          value={role}
          hint={texts.members.roleMeans[role]}
          onChange={(chosen) => setRole(chosen ?? 'developer')}
        />
        <Reason />
      </FormDialog>
      <Dialog title={texts.keys.once} open={key !== null} onClose={() => setKey(null)}>
        <Note tone="wait">{texts.keys.onceHint}</Note>
        <CopyId value={key ?? ''} name={texts.keys.key} />
        <div className="dialog-actions">
          <Button kind="primary" onClick={() => setKey(null)}>
            {texts.keys.kept}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function Invite({ business, asked, onClose, onDone }: DialogProps) {
  const { act, busy, fault, forget } = useAct(operatorMemberInvitationSendDocument);
  return (
    <FormDialog
      title={words.invite}
      action={words.invite}
      open={asked?.what === 'invite'}
      busy={busy}
      fault={fault}
      onClose={() => {
        forget();
        onClose();
      }}
      onSubmit={async (given) => {
        const membershipId = asked?.member.id ?? '';
        const reason = given('reason');
        const done = await act({ businessId: business.id, membershipId, reason });
        if (done === null) return;
        announce(done.operatorMemberInvitationSend === null ? common.proposed : words.invited);
        onClose();
        onDone();
      }}
    >
      <p>{words.inviteMeans}</p>
      <Reason />
    </FormDialog>
  );
}
