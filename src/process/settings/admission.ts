import { z } from 'zod';

const count = z.coerce.number().int().min(1).max(1_000_000);
const part = z.coerce.number().gt(0).max(1);

/** What one caller may have under way in a process, and what its calls count; part of `settings`. */
export const admissionSettings = {
  TENANT_CONNECTION_SHARE: {
    schema: part,
    fallback: '0.25',
    description:
      'Part of the `DATABASE_POOL_SIZE` connections of an API process that one tenant may hold at a time; without a key, one client address.',
  },
  GROUP_CONNECTION_SHARE: {
    schema: part,
    fallback: '0.5',
    description:
      'The same of all sandbox tenants with an incomplete business profile together, and of all callers without a key together: neither are hard to multiply.',
  },
  TENANT_REQUESTS_AT_ONCE: {
    schema: count,
    fallback: '20',
    description:
      'Requests of one tenant (without a key: of one client address) that an API process works on at a time.',
  },
  TENANT_REQUESTS_WAITING: {
    schema: count,
    fallback: '100',
    description:
      'Requests of one tenant that wait for one of these places; a further one is answered with 429.',
  },
  TENANT_BULKS_AT_ONCE: {
    schema: count,
    fallback: '1',
    description:
      'Bulk calls (of more than `RATE_LIMIT_ROWS` rows, or with a body over `LARGE_BODY_BYTES`) of one tenant that an API process works on at a time.',
  },
  LARGE_BODY_BYTES: {
    schema: z.coerce.number().int().min(1_024),
    fallback: '65536',
    description: 'A request with a body over this size is a bulk call, whatever it asks for.',
  },
  TENANT_BULKS_WAITING: {
    schema: count,
    fallback: '4',
    description: 'Bulk calls of one tenant that wait; a further one is answered with 429.',
  },
  TENANT_WAIT_MS: {
    schema: count,
    fallback: '3000',
    description:
      'How long a request, a bulk call or a statement waits for its place before it is answered with 429.',
  },
  RATE_LIMIT_ROWS: {
    schema: count,
    fallback: '20',
    description:
      'Rows of a bulk call (payouts, decisions, invites, lines of a CSV) that count as one request in the rate limit: with 20, a bulk of 1,000 rows counts as 50. A call never counts as more than a whole minute.',
  },
  RATE_LIMIT_COST: {
    schema: count,
    fallback: '250',
    description:
      'Cost of a GraphQL operation (fields, times the length of lists; 5,000 at most) that counts as one request in the rate limit.',
  },
} as const;
