import type { PoolClient } from 'pg';
import type { ProposedChange } from '../../../../generated/prisma/client.ts';
import type { MemberActor, Scope } from '../../../access/scope.ts';
import type { Call } from '../../../process/services.ts';
import { hasOtherManager, pairOf } from '../../access/second-person.ts';
import { tellBusiness } from '../../access/tell.ts';
import { openProposal } from '../../proposed-change/payload.ts';
import { endChange, findWaitingChange, propose } from '../../proposed-change/store.ts';
import { countProposals, findAddress, rememberAddress } from './address-store.ts';

/*
 * Whoever changes where production's webhooks go decides who reads what is paid to whom. So where the business has
 * another owner or admin who can enter production, one of them has to send the same address before anything is sent
 * there. The other person needs no call of its own for that, and a business of one person is not held up. A manager
 * could invite a second mailbox of their own: so where a third manager has been one for a day, the two who decide must
 * have been members for a day, too.
 */

/**
 * What waits for the second person: the address, and of a registration the secret of its answer. Event types do not
 * wait, so a confirmation overwrites none that were chosen since.
 */
export interface AddressProposal {
  readonly url: string;
  /** Signs from the confirmation on. */
  readonly secret?: string;
  /** The subscription was made anew, and sends nothing until then. */
  readonly enables?: boolean;
}

/** The subscription, or where its webhooks went before it was deleted. */
interface PendingAddress {
  readonly id: string;
  readonly url: string;
}

const memberOf = ({ actor }: Scope): MemberActor | null => (actor.type === 'member' ? actor : null);

/** What waits, from its encrypted payload alone: an address may hold a secret, and the payload ends with the answer. */
const openAddress = (call: Call, waiting: ProposedChange): AddressProposal =>
  openProposal(call, waiting) as AddressProposal; // proposeAddress wrote it

const waitingOf = (client: PoolClient, scope: Scope): Promise<ProposedChange | null> =>
  findWaitingChange(client, scope, 'webhook_address');

/** The address that waits for a second person; null where none does. */
export async function readPendingAddress(call: Call): Promise<string | null> {
  const { scope, services } = call;
  if (scope.environment === 'sandbox') return null;
  const waiting = await findWaitingChange(services.pool, scope, 'webhook_address');
  return waiting === null ? null : openAddress(call, waiting).url;
}

/** Takes back an address that waits; for one who asks for the address that is there, or deletes the subscription. */
export async function withdrawAddress(client: PoolClient, scope: Scope): Promise<void> {
  if (scope.environment === 'sandbox') return;
  const waiting = await waitingOf(client, scope);
  if (waiting === null) return;
  const who = memberOf(scope)?.user_id ?? null;
  await endChange(client, scope, waiting.id, { status: 'declined', who });
}

export type AddressDecision =
  /** It is used from here on, with what was proposed with it, if it was. */
  | { readonly is: 'applied'; readonly proposed: AddressProposal | null }
  /** The same address waits already, and this caller cannot confirm it. */
  | { readonly is: 'waiting' }
  | {
      readonly is: 'proposed';
      /** What waited for the same address, which this proposal takes the place of. */
      readonly instead: AddressProposal | null;
    };

/**
 * Decides about another address than the present one, whose row the transaction of `client` has locked, and ends what
 * waited. `applied`: the caller writes it and calls `noteAddress`. `proposed`: the caller calls `proposeAddress`.
 * A registration brings a new secret, so it is never `waiting`: it takes the place of what waits.
 */
export async function decideAddress(
  client: PoolClient,
  call: Call,
  { url, registers }: { readonly url: string; readonly registers: boolean },
): Promise<AddressDecision> {
  const { scope } = call;
  const member = memberOf(scope);
  if (scope.environment === 'sandbox' || member === null) return { is: 'applied', proposed: null };
  const who = member.user_id;
  const waiting = await waitingOf(client, scope);
  const asked = waiting === null ? null : openAddress(call, waiting);
  const same = asked?.url === url ? waiting : null;
  const manages = member.role === 'owner' || member.role === 'admin';
  const other = same !== null && same.proposedBy !== who && manages ? same.proposedBy : null;
  const pair = other === null ? null : await pairOf(client, scope, other, who);
  const confirms = pair?.decides === true;
  // What somebody has proposed keeps needing the second person, whoever is a manager by now.
  const needsSecond =
    !confirms && (waiting?.proposedBy === who || (await hasOtherManager(client, scope, [who])));
  // A newcomer's proposal becomes that of the colleague who sends the same address, and a third person confirms it.
  const takesOver = registers || pair?.isSettled === true;
  if (needsSecond && same !== null && !takesOver) return { is: 'waiting' };
  const proposed = same === null || needsSecond ? null : asked;
  if (waiting !== null) {
    const status = same === null || needsSecond ? 'replaced' : 'confirmed';
    await endChange(client, scope, waiting.id, { status, who });
  }
  if (needsSecond) return { is: 'proposed', instead: same === null ? null : asked };
  return { is: 'applied', proposed };
}

/** How many proposals of an hour by the clock are mailed. Each is recorded, and what is applied is always mailed. */
const mailedProposals = 3;

/** What a record may say of an address: its path and query may hold a secret. */
const hostOf = (url: string): { readonly host: string } => ({ host: new URL(url).host });

/** Has an address wait for a second person, and the owners and admins told of it. */
export async function proposeAddress(
  client: PoolClient,
  call: Call,
  { id: subjectId, url }: PendingAddress,
  given: AddressProposal,
): Promise<void> {
  const { scope } = call;
  const shown = { before: hostOf(url), after: hostOf(given.url) };
  const who = memberOf(scope)?.user_id ?? scope.actor.type;
  await propose(client, call, {
    kind: 'webhook_address',
    subjectId,
    given,
    shown,
    reason: null,
    who,
  });
  const mails = (await countProposals(client, scope, mailedProposals)) < mailedProposals;
  await tellBusiness(client, scope, {
    kind: 'webhook_address_proposed',
    subjectId,
    ...shown,
    mails,
  });
}

/** Notes the address to which production's webhooks go, and has the owners and admins told if it is another one. */
export async function noteAddress(
  client: PoolClient,
  scope: Scope,
  { id: subjectId, url }: PendingAddress,
): Promise<void> {
  if (scope.environment === 'sandbox') return;
  const before = await findAddress(client, scope);
  if (before === url) return;
  await rememberAddress(client, scope, url);
  await tellBusiness(client, scope, {
    kind: 'webhook_address_changed',
    subjectId,
    before: before === null ? null : hostOf(before),
    after: hostOf(url),
  });
}
