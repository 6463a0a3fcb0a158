import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { make } from './make.ts';

/** Makes everything in generated/: npm's `prepare` runs this, and so does the image. */
const root = join(import.meta.dirname, '../..');

if (existsSync(join(root, 'node_modules/vite'))) {
  await make('prisma', 'console', 'site', 'bundle');
} else if (existsSync(join(root, 'generated/bundle'))) {
  console.log('No development packages (npm --omit=dev): generated/ stays as it is.');
} else {
  console.error(
    'No development packages to make generated/ with: npm ci, then npm prune --omit=dev.',
  );
  process.exitCode = 1;
}
