import { html } from '../../values/html.ts';
import { mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';
import { shortName } from '../short-name.ts';

type AccessChangeFacts = Readonly<Record<string, unknown>> | null;

interface AccessChangeMail {
  readonly businessName: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly environment: string;
  readonly actorType: string;
  readonly before: AccessChangeFacts;
  readonly after: AccessChangeFacts;
  readonly occurredAt: Date;
}

/** A fact that is a plain text; others are left to the record. */
const factOf = (facts: AccessChangeFacts, name: string): string => {
  const value = facts?.[name];
  return typeof value === 'string' ? value : 'unknown';
};

const namesOf = (facts: AccessChangeFacts): string => Object.keys(facts ?? {}).join(', ');

/** What happened, in a sentence that names no secret. */
function sentenceOf({ kind, subjectId, before, after }: AccessChangeMail): string {
  switch (kind) {
    case 'key_created':
      return `A production API key with the role ${factOf(after, 'role')} was made: ${subjectId}.`;
    case 'member_accepted':
      return `The member ${subjectId} joined with the role ${factOf(after, 'role')}.`;
    case 'member_role_proposed':
      return `The role ${factOf(after, 'role')} is proposed for the member ${subjectId}, who would approve payouts with it. It holds once a second person has confirmed it.`;
    case 'member_role_changed':
      return `The member ${subjectId} has the role ${factOf(after, 'role')} instead of ${factOf(before, 'role')}.`;
    case 'member_removed':
      return `The member ${subjectId}, who had the role ${factOf(before, 'role')}, was removed.`;
    case 'member_invitation_sent':
      return `The member ${subjectId} was mailed a link to a production API key with the role ${factOf(after, 'role')}.`;
    case 'bank_connected':
      return `An account at a bank or a provider was connected: ${subjectId}.`;
    case 'bank_connection_changed':
      return `The connection ${subjectId} to a bank or a provider was changed: ${namesOf(after)}.`;
    case 'routes_replaced':
      return 'The routes of your payouts were replaced. They decide which bank or provider pays what.';
    case 'webhook_address_proposed':
      return `Your webhooks are to go to another server: ${factOf(after, 'host')}. Nothing is sent there until a second owner or admin sends the same address.`;
    case 'webhook_address_changed':
      return before === null
        ? `Your webhooks go to ${factOf(after, 'host')}.`
        : `Your webhooks go to ${factOf(after, 'host')} instead of ${factOf(before, 'host')}.`;
    case 'approval_policy_proposed':
      return 'Other rules of who may approve payouts are proposed. They hold once a second person has confirmed them: another owner, an admin where there is none, or the proposer after a day where nobody else manages the business.';
    case 'approval_policy_changed':
      return 'The rules of who may approve payouts were changed.';
    case 'approval_group_proposed':
      return `Other members of the group ${subjectId}, which approves payouts, are proposed. They hold once a second person has confirmed them.`;
    case 'approval_group_changed':
      return `The group ${subjectId}, whose members the rules for approvals may name, was made or changed.`;
    case 'approval_delegated':
      return `The member ${factOf(after, 'from')} lets the member ${factOf(after, 'to')} approve payouts on their behalf, from ${factOf(after, 'begins')} to ${factOf(after, 'ends')}.`;
    case 'approval_delegation_ended':
      return `The member ${factOf(after, 'to')} approves payouts on behalf of the member ${factOf(after, 'from')} no more.`;
    case 'passkey_added':
      return `The member ${factOf(after, 'member')} added a passkey: ${subjectId}. It signs in at once, and approvals after a day.`;
    case 'passkey_locked':
      return `The passkey ${subjectId} signs no approvals until ${factOf(after, 'until')}: five answers in a row were not what the console had asked for.`;
    case 'passkey_vouched':
      return `The new passkeys of the member ${subjectId} sign approvals at once, since an owner said so.`;
    default:
      return `${kind}: ${subjectId}.`;
  }
}

/** The mail by which owners and admins hear of a change that decides where money or secrets go. */
export function accessChangeMail(mail: AccessChangeMail): MailContent {
  const name = shortName(mail.businessName);
  const title = `${name}: a change of where money or secrets go`;
  const what = sentenceOf(mail);
  const at = `${mail.occurredAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const who = mail.actorType === 'operator' ? 'an operator of the platform' : 'a member of it';
  const told = `It was done for ${name} (${mail.environment}) by ${who}, on ${at}. The latest changes are in the console, under Members, and in accessChanges of the API.`;
  const unexpected =
    'If you do not expect this, speak with your colleagues and the operators of the platform at once.';
  const text = `${title}\n\n${what}\n\n${told}\n\n${unexpected}\n`;
  const content = html`${paragraph(what)} ${paragraph(told)} ${note(unexpected)}`;
  const frame = { lang: 'en', title, name, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}
