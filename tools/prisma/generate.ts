import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { environment } from './config.ts';

/** Writes generated/ from prisma/schema.prisma, without a network: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');
const standIn = join(import.meta.dirname, 'no-schema-engine.ts');

function prismaCommand(): string | null {
  try {
    return createRequire(import.meta.url).resolve('prisma/build/index.js');
  } catch {
    return null;
  }
}

function generate(command: string): number {
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
  return status ?? 1;
}

const command = prismaCommand();
if (command !== null) {
  process.exitCode = generate(command);
} else if (existsSync(join(root, 'generated/prisma'))) {
  console.log('prisma is not installed (npm --omit=dev): generated/ stays as it is.');
} else {
  console.error(
    'prisma is not installed (npm --omit=dev), and generated/ is missing: copy it here.',
  );
  process.exitCode = 1;
}
