import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { AccessChanges } from './changes.tsx';
import {
  memberInviteDocument,
  membersDocument,
} from '../../../../generated/console-types/pages/members/members.ts';
import { MemberActions } from './actions.tsx';
import { nameOf, type Member } from './member.ts';

const words = texts.members;
/** Who works for the business, with what role; who may, invites and removes members. */
export function MembersPage() {
  const place = useSearch({ from: '/shell/members' });
  const navigate = useNavigate({ from: '/members' });
  const fresh = useFresh(membersDocument, pageOf(place));
  const mayManage = useMay('access:write');
  const [inviting, setInviting] = useState(false);
  const proposed = new Map(
    (fresh.data?.approvalPolicy.roleProposals ?? []).flatMap(({ memberId, roleAfter }) =>
      memberId === null || roleAfter === null ? [] : [[memberId, roleAfter]],
    ),
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayManage && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <div className="stack">
        <Card flush>
          <Listing
            caption={words.title}
            fresh={fresh}
            page={fresh.data?.members ?? null}
            place={place}
            onPlace={(to) => void navigate({ search: to })}
            versionOf={({ role, acceptedAt, removedAt }) => [role, acceptedAt, removedAt].join(' ')}
            empty={<Empty title={words.empty} />}
            columns={[
              {
                name: 'name',
                title: words.name,
                cell: (member) => (
                  <>
                    <strong>{nameOf(member)}</strong> {member.me && words.you}
                    {nameOf(member) !== member.email && (
                      <div className="muted small">{member.email}</div>
                    )}
                  </>
                ),
              },
              {
                name: 'role',
                title: words.role,
                cell: ({ id, role }) => <MemberRole role={role} proposed={proposed.get(id)} />,
              },
              {
                name: 'state',
                title: words.state,
                cell: ({ acceptedAt, removedAt }) =>
                  removedAt ? (
                    <StateMark tone="calm">{words.removed}</StateMark>
                  ) : acceptedAt ? (
                    <StateMark tone="good">{words.active}</StateMark>
                  ) : (
                    <StateMark tone="wait">{words.invited}</StateMark>
                  ),
              },
              {
                name: 'since',
                title: words.since,
                cell: ({ createdAt }) => <Time at={createdAt} />,
              },
              ...(mayManage
                ? [
                    {
                      name: 'actions',
                      title: words.actions,
                      cell: (member: Member) => (
                        <MemberActions member={member} onDone={fresh.refresh} />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </Card>
        <AccessChanges />
      </div>
      <InviteDialog
        open={inviting}
        onClose={() => setInviting(false)}
        onDone={() => {
          setInviting(false);
          fresh.refresh();
        }}
      />
    </Page>
  );
}

interface MemberRoleProps {
  readonly role: Member['role'];
  /** The one that waits for a second person. */
  readonly proposed: Member['role'] | undefined;
}

function MemberRole({ role, proposed }: MemberRoleProps) {
  return (
    <>
      {texts.roles[role]}
      {proposed !== undefined && (
        <div className="muted small">
          <Link to="/policy">{words.roleProposed({ role: texts.roles[proposed] })}</Link>
        </div>
      )}
    </>
  );
}

interface InviteProps {
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

function InviteDialog({ open, onClose, onDone }: InviteProps) {
  const { act, busy, fault, forget } = useAct(memberInviteDocument);
  const [role, setRole] = useState<Member['role']>('viewer');
  const close = () => {
    forget();
    onClose();
  };
  return (
    <FormDialog
      title={words.invite}
      action={words.sendInvitation}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const email = given('email');
        if ((await act({ email, role })) === null) return;
        announce(words.wasInvited({ email }));
        onDone();
      }}
    >
      <p className="muted">{words.inviteHint}</p>
      <TextField label={words.email} name="email" type="email" required autoComplete="off" />
      <Choice
        label={words.role}
        options={texts.roles}
        value={role}
        hint={words.roleMeans[role]}
        onChange={(chosen) => setRole(chosen ?? 'viewer')}
      />
    </FormDialog>
  );
}
