import { z } from 'zod';
import { roles } from '../../access/roles.ts';
import { environments } from '../../access/scope.ts';
import { email, optionalText, text } from '../../values/fields.ts';

/** Input of the command that makes a key. `environment` is the caller's own, and may be left out. */
export const keyInput = z.strictObject({
  role: z.enum(roles),
  environment: z.enum(environments).nullish(),
  membershipId: text().nullish(),
  name: optionalText(100),
});
export type KeyInput = z.input<typeof keyInput>;

/** Input of the command that invites a member. */
export const invitationInput = z.strictObject({ email, role: z.enum(roles) });
export type InvitationInput = z.input<typeof invitationInput>;

/** Input of the command that gives a member another role. */
export const roleChangeInput = z.strictObject({ id: text(), role: z.enum(roles) });
export type RoleChangeInput = z.input<typeof roleChangeInput>;
