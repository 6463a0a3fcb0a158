import { z } from 'zod';
import { readKeys } from '../../crypto/keyring.ts';
import { readKeyring } from '../key-source.ts';
import { setting } from './setting.ts';

/** What is wrong with a keyring, in the words of its parser, which names the setting itself. */
function requireKeys(text: string, context: z.core.$RefinementCtx): void {
  try {
    readKeys(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    context.addIssue(error.message.replace(/^ENCRYPTION_KEYS: /, ''));
  }
}

/** Where data is kept, and with which keys. */
export const storageSettings = {
  DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'PostgreSQL 18 or newer, with the login of the API and the worker. In production a host outside the private network needs `?sslmode=verify-full` or another mode with TLS. Absent: `npm start` runs an embedded server in `DATA_DIR`, and commands use it while it runs, outside production.',
  }),
  DIRECT_DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'The same database and login as `DATABASE_URL`, without a pooler in between, for what needs a session of its own: the worker listens for jobs, and the migration and `verify-ledger` where `MIGRATION_DATABASE_URL` is absent. Absent: `DATABASE_URL`, which then names PostgreSQL itself.',
  }),
  MIGRATION_DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'The same database with the login that owns its tables, for migrations only. The migration creates the login of `DATABASE_URL` if it is missing and grants it what the service needs. Never through a pooler. Absent: `DIRECT_DATABASE_URL` or `DATABASE_URL`, whose login then owns everything.',
  }),
  DATABASE_POOL_SIZE: setting({
    schema: z.coerce.number().int().min(2).max(500),
    fallback: '20',
    description:
      'Database connections that each process may hold, beside the one by which it watches the database.',
  }),
  DATABASE_SILENCE_MS: setting({
    schema: z.coerce.number().int().min(100).max(60_000),
    fallback: '1000',
    description:
      'Milliseconds without an answer to `SELECT` on a connection of its own after which a process counts the database as away: statements under way are cut, and requests get 503 at once until it answers again.',
  }),
  DATA_DIR: setting({
    schema: z.string().min(1),
    fallback: '.data',
    description: 'Folder of the embedded database, the local mailbox and the simulator.',
  }),
  ENCRYPTION_KEYS: setting({
    schema: z.string().min(1).superRefine(requireKeys),
    fallback: 'dev:ZGV2ZWxvcG1lbnQta2V5LW5vdC1mb3ItcHJvZHVjdGk=',
    developmentOnly: true,
    read: readKeyring,
    description:
      'Keys that encrypt stored data: `<id>:<base64 of 32 random bytes>`, separated by commas. The first encrypts, all decrypt.',
  }),
  ENCRYPTION_KEYS_FILE: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'File that holds what `ENCRYPTION_KEYS` would, which is then not set. It is read again while the process runs.',
  }),
  ENCRYPTION_KEYS_COMMAND: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'Shell command that prints what `ENCRYPTION_KEYS` would hold, which is then not set: for vaults and key services. It has ten seconds, and is run again while the process runs.',
  }),
  ENCRYPTION_KEYS_REFRESH_SECONDS: setting({
    schema: z.coerce.number().int().min(1).max(86_400),
    fallback: '60',
    description:
      'Seconds between two readings of the file or two runs of the command. SIGHUP asks for one at once.',
  }),
} as const;

interface DatabaseUrls {
  readonly DATABASE_URL: string | null;
  readonly DIRECT_DATABASE_URL: string | null;
  readonly MIGRATION_DATABASE_URL: string | null;
}

/** The URL of the login that owns the tables, with a session of its own; null where none is set. */
export const ownerUrlOf = (urls: DatabaseUrls): string | null =>
  urls.MIGRATION_DATABASE_URL ?? directUrlOf(urls);

/** The URL of the service's login, with a session of its own; null where none is set. */
export const directUrlOf = (urls: Omit<DatabaseUrls, 'MIGRATION_DATABASE_URL'>): string | null =>
  urls.DIRECT_DATABASE_URL ?? urls.DATABASE_URL;
