import { z } from 'zod';
import { count } from './schemas.ts';
import { setting } from './setting.ts';

const upTo = (most: number) => z.coerce.number().int().min(1).max(most);

/** How people sign in, and how long they stay signed in. */
export const signInSettings = {
  SESSION_IDLE_MINUTES: setting({
    schema: upTo(43_200),
    fallback: '60',
    description:
      'Minutes without a request of its person after which a session ends. What the console asks by itself does not count.',
  }),
  SESSION_MAX_HOURS: setting({
    schema: upTo(720),
    fallback: '12',
    description: 'Hours after which a session ends, however busy it is.',
  }),
  SESSION_HISTORY_DAYS: setting({
    schema: upTo(3_650),
    fallback: '90',
    description:
      'Days for which a session that has ended is kept, with the browser and the network from which it came.',
  }),
  SIGN_IN_LINK_MINUTES: setting({
    schema: upTo(1_440),
    fallback: '15',
    description: 'Minutes for which a link works that was mailed to sign in.',
  }),
  SIGN_IN_RATE_LIMIT: setting({
    schema: count,
    fallback: '60',
    description:
      'Requests a minute to sign in from one client address (IPv6: from one /64), over all API processes.',
  }),
  SIGN_IN_MAILS_PER_HOUR: setting({
    schema: count,
    fallback: '5',
    description:
      'Links to sign in that are mailed to one address in an hour without a look at the earlier ones. Beyond it a link is mailed only where the address holds no unused one with half of its time left.',
  }),
} as const;
