import { requireSignedIn } from '../../src/domain/session/caller.ts';
import { findPerson, type Person } from '../../src/domain/session/viewer.ts';
import type { Context } from '../context.ts';
import type { StoredViewer } from './type.ts';

/** The person who is signed in. Throws unauthorized without a session, forbidden for an API key. */
export function signedIn(context: Context): StoredViewer {
  const caller = context.operator ?? context.call.scope;
  const call = { services: context.services, person: requireSignedIn(caller) };
  let person: Promise<Person> | null = null;
  return { call, caller, profile: () => (person ??= findPerson(call)) };
}
