import { z } from 'zod';

const count = z.coerce.number().int().min(1).max(1_000_000);
const part = z.coerce.number().gt(0).max(1);

/** What one caller may have under way in an API process, and how its calls count in the rate limit. */
export const admissionSettings = {
  TENANT_CONNECTION_SHARE: {
    schema: part,
    fallback: '0.25',
    description:
      'Share of the `DATABASE_POOL_SIZE` connections of an API process that one tenant may hold at a time. Callers without a key count by client address.',
  },
  GROUP_CONNECTION_SHARE: {
    schema: part,
    fallback: '0.5',
    description:
      'Share of the connections that all sandbox tenants with an incomplete business profile may hold together, and likewise all callers without a key together. Both are easy to multiply.',
  },
  TENANT_REQUESTS_AT_ONCE: {
    schema: count,
    fallback: '20',
    description:
      'Requests of one tenant (without a key: of one client address) that an API process handles at a time.',
  },
  TENANT_REQUESTS_WAITING: {
    schema: count,
    fallback: '100',
    description:
      'Requests of one tenant that may wait for one of `TENANT_REQUESTS_AT_ONCE`; a further one is answered with 429.',
  },
  TENANT_BULKS_AT_ONCE: {
    schema: count,
    fallback: '1',
    description:
      'Bulk calls (of more than `RATE_LIMIT_ROWS` rows, or with a body over `LARGE_BODY_BYTES`) of one tenant that an API process handles at a time.',
  },
  LARGE_BODY_BYTES: {
    schema: z.coerce.number().int().min(1_024),
    fallback: '65536',
    description:
      'Bytes of a request body beyond which the request is a bulk call, whatever it asks for.',
  },
  TENANT_BULKS_WAITING: {
    schema: count,
    fallback: '4',
    description: 'Bulk calls of one tenant that may wait; a further one is answered with 429.',
  },
  TENANT_WAIT_MS: {
    schema: count,
    fallback: '3000',
    description:
      'Milliseconds that a request, a bulk call or a statement may wait; then the answer is 429.',
  },
  TENANT_STREAMS: {
    schema: count,
    fallback: '20',
    description:
      'Streams (GraphQL subscriptions) of one tenant that an API process holds open at a time; a further one is answered with 429.',
  },
  STREAMS: {
    schema: count,
    fallback: '2000',
    description:
      'Streams of all tenants that an API process holds open at a time. Each is a connection and some kilobytes of memory.',
  },
  RATE_LIMIT_ROWS: {
    schema: count,
    fallback: '20',
    description:
      'Rows of a bulk call (payouts, decisions, invites, lines of a CSV) that count as one request in the rate limit: with 20, a bulk of 1,000 rows counts as 50. A call never counts as more than the limit of one minute.',
  },
  RATE_LIMIT_COST: {
    schema: count,
    fallback: '250',
    description:
      'Cost of a GraphQL operation that counts as one request in the rate limit. The cost is the number of fields, times the length of the lists that they are in; it may be 15,000 at most.',
  },
} as const;
