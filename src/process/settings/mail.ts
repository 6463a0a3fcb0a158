import { z } from 'zod';
import { setting } from './setting.ts';

/** How e-mail is sent, and how long the links in it to members last. */
export const mailSettings = {
  SMTP_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'Mail server: `smtp://` (STARTTLS where the server offers it, required with `?requireTLS=true`) or `smtps://`. In production the connection must be encrypted unless the server is this machine or a host name without a dot. Absent: no e-mail is sent.',
  }),
  MAIL_FROM: setting({
    schema: z.string().min(3),
    fallback: 'Payouts <payouts@localhost>',
    description: 'Sender of e-mail.',
  }),
  MEMBER_INVITATION_DAYS: setting({
    schema: z.coerce.number().int().min(1).max(30),
    fallback: '7',
    description: 'Days for which a member can use the link that gives them a key of their own.',
  }),
  REGISTRATION_LINK_DAYS: setting({
    schema: z.coerce.number().int().min(1).max(30),
    fallback: '7',
    description: 'Days for which the link works that proves the address of a registration.',
  }),
} as const;
