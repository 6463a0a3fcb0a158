import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { environment } from './config.ts';

/** Writes the Prisma client into generated/prisma from prisma/schema.prisma, without a network. */
const root = join(import.meta.dirname, '../..');
const standIn = join(import.meta.dirname, 'no-schema-engine.ts');
const command = createRequire(import.meta.url).resolve('prisma/build/index.js');

// An archive of the source may have lost the file's mode.
chmodSync(standIn, 0o755);
const { status, error } = spawnSync(process.execPath, [command, 'generate', '--no-hints'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...environment,
    // Prisma runs its generators by name, which only a script of npm finds.
    PATH: [join(root, 'node_modules/.bin'), environment['PATH']].join(delimiter),
    PRISMA_SCHEMA_ENGINE_BINARY: standIn,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (error) throw error;
process.exitCode = status ?? 1;
