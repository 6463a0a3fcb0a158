import { join } from 'node:path';
import { compareGenerated } from './generated.ts';
import { generatedTexts } from './texts.ts';

const write = process.argv.includes('--write');
const root = join(import.meta.dirname, '../..');
const results = await compareGenerated(root, generatedTexts, { write });

for (const { name, fresh } of results) {
  console.log(`${fresh ? 'fresh' : write ? 'written' : 'STALE'}  ${name}`);
}
if (!write && results.some((result) => !result.fresh)) {
  console.error('Run `npm run generate` and commit the result.');
  process.exitCode = 1;
}
