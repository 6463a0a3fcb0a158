import { z } from 'zod';
import { list, port } from './schemas.ts';
import { setting } from './setting.ts';

/** Origins as browsers send them: scheme, host and port, nothing else (RFC 6454). */
const origins = list.pipe(
  z.array(
    z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
      message: 'each must be an origin such as https://app.example.com',
    }),
  ),
);

/** Supervisors wait for this and for the drain after it. */
export const longestShutdownDelayMs = 20_000;

/** Where the API is and who reaches it. */
export const apiSettings = {
  PORT: setting({
    schema: port,
    fallback: '3000',
    description:
      'Port of the API, on `HOST`. The other ports of `npm start` follow from it unless they are set: `SIMULATOR_PORT` (+1), `MAILBOX_PORT` (+2), `METRICS_PORT` (+3) and `SMTP_PORT` (+25).',
  }),
  PUBLIC_URL: setting({
    schema: z.url(),
    fallback: null,
    // Links in e-mails would lead every payee to their own machine.
    developmentOnly: true,
    description:
      'Base URL under which callers reach the API. Links in answers and e-mails begin with it. In production it is required, and must be `https` unless it names this machine. Absent: `http://localhost:<PORT>`.',
  }),
  SHUTDOWN_DELAY_MS: setting({
    schema: z.coerce.number().int().min(0).max(longestShutdownDelayMs),
    fallback: null,
    description:
      'Milliseconds for which an API that was told to stop still takes connections while `/readyz` says 503, so that a load balancer sends nothing more when the listener closes: longer than the time in which it finds out. Absent: 5000 in production, 0 elsewhere.',
  }),
  TRUSTED_PROXIES: setting({
    schema: z.coerce.number().int().min(0).max(10),
    fallback: '0',
    description:
      'Number of reverse proxies in front of the API that append to `X-Forwarded-For`; the client address is taken from there. 0: the header is ignored.',
  }),
  CORS_ORIGINS: setting({
    schema: origins,
    fallback: '',
    description:
      'Origins whose pages may call the API from a browser, separated by commas. Empty: none.',
  }),
  GRAPHQL_INTROSPECTION: setting({
    schema: z.enum(['on', 'off']),
    fallback: null,
    description:
      'Whether GraphQL answers introspection queries (`__schema` and `__type`). Absent: `off` in production, `on` elsewhere.',
  }),
  GRAPHQL_ACCEPTED_DOCUMENTS: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'JSON file with the GraphQL documents that callers may run, by their ids (as GraphQL Code Generator writes persisted documents). Those of the console are accepted beside them; `console` in the place of a file accepts these alone. A caller sends `documentId` or the exact text; others are refused. Absent: any document.',
  }),
  GRAPHIQL_KEY_PATH: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'File with the sandbox key that GraphiQL shows a browser on this machine. `npm start` sets it. In production there is no GraphiQL, and the file is not read.',
  }),
  ENROLL_WAIT_MS: setting({
    schema: z.coerce.number().int().min(1),
    fallback: '10000',
    description:
      'Milliseconds that an enroll request waits for the provider before it answers 202.',
  }),
} as const;

interface ShutdownSettings {
  readonly NODE_ENV: 'development' | 'test' | 'production';
  readonly SHUTDOWN_DELAY_MS: number | null;
}

/** Milliseconds between the signal to stop and the end of the listener. */
export function shutdownDelayOf({ NODE_ENV, SHUTDOWN_DELAY_MS }: ShutdownSettings): number {
  return SHUTDOWN_DELAY_MS ?? (NODE_ENV === 'production' ? 5_000 : 0);
}
