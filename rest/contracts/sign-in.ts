import { z } from 'zod';
import { email } from '../../src/values/fields.ts';

/** The bodies of the requests by which people sign in. */

export const linkBody = z.strictObject({
  email,
  /** As whom, where the address belongs to a member and to an operator. */
  as: z.enum(['member', 'operator']).optional(),
});

export const noBody = z.strictObject({});

/** What `navigator.credentials.get` gave. */
export const passkeyBody = z.strictObject({ response: z.looseObject({}) });

export const tokenBody = z.strictObject({ token: z.string().max(200) });
