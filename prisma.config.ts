import { defineConfig } from 'prisma/config';
import { environment } from './tools/prisma/config.ts';

// Only `prisma studio` connects; `generate` must work without a database.
const url =
  environment['MIGRATION_DATABASE_URL'] ??
  environment['DIRECT_DATABASE_URL'] ??
  environment['DATABASE_URL'];

export default defineConfig({
  schema: 'prisma/schema.prisma',
  ...(url === undefined ? {} : { datasource: { url } }),
});
