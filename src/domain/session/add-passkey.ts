import { finishAdding, type Adding } from '../../access/passkey/add.ts';
import type { Passkey } from '../../access/passkey/store.ts';
import { tellBusiness, tellOfRecorded } from '../access/tell.ts';
import type { SignedIn } from './caller.ts';

/**
 * Adds the passkey that a browser made. It is a change of access: the owners and admins of the business in which its
 * person is at work are mailed, and the person. Throws as `finishAdding`.
 */
export function addPasskey(
  adding: Adding,
  person: SignedIn,
  given: Parameters<typeof finishAdding>[1],
): Promise<Passkey> {
  if (person.kind !== 'member') return finishAdding(adding, given);
  const { scope, actor } = person;
  return finishAdding(adding, given, async (client, { id: subjectId }) => {
    const kind = 'passkey_added';
    const after = { member: actor.membership_id };
    await tellBusiness(client, scope, { kind, subjectId, before: null, after, mails: false });
    await tellOfRecorded(client, scope, kind, subjectId, actor.membership_id);
  });
}
