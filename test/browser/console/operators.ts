import { addOperatorUser } from '../../../src/access/operator-user.ts';
import { sessionOf } from '../../support/sessions.ts';
import type { ConsoleWorld, OpenOptions } from './world.ts';

/** The options with which a page is opened by an operator of the platform. */
export async function asOperator(
  { harness, origin }: ConsoleWorld,
  name = 'Olga',
): Promise<OpenOptions> {
  const person = { name, email: `${name.toLowerCase()}@platform.example` };
  const operatorUserId = await addOperatorUser(harness.database.pool, person);
  const { token } = await sessionOf(harness, { operatorUserId });
  const cookie = {
    name: '__Host-payouts_session',
    value: token,
    domain: new URL(origin).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: true,
    sameSite: 'Lax' as const,
  };
  return { as: null, storageState: { cookies: [cookie], origins: [] } };
}
