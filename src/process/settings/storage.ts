import { z } from 'zod';
import { setting } from './setting.ts';

/** Where data is kept, and with which keys. */
export const storageSettings = {
  DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'PostgreSQL 18 or newer, with the login of the API and the worker. Absent: `npm start` runs an embedded server in `DATA_DIR`, and commands use it while it runs, outside production.',
  }),
  MIGRATION_DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'The same database with the login that owns its tables, for migrations only. The migration creates the login of `DATABASE_URL` if it is missing and grants it what the service needs. Absent: `DATABASE_URL`, whose login then owns everything.',
  }),
  DATABASE_POOL_SIZE: setting({
    schema: z.coerce.number().int().min(2).max(500),
    fallback: '20',
    description: 'Database connections that each process may hold.',
  }),
  DATA_DIR: setting({
    schema: z.string().min(1),
    fallback: '.data',
    description: 'Folder of the embedded database, the local mailbox and the simulator.',
  }),
  ENCRYPTION_KEYS: setting({
    schema: z.string().min(1),
    fallback: 'dev:ZGV2ZWxvcG1lbnQta2V5LW5vdC1mb3ItcHJvZHVjdGk=',
    developmentOnly: true,
    description:
      'Keys that encrypt stored data: `<id>:<base64 of 32 random bytes>`, separated by commas. The first encrypts, all decrypt.',
  }),
} as const;
