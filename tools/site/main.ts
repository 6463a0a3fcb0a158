import { join } from 'node:path';
import { report } from '../build/prepare.ts';
import { buildSite } from './build.ts';

/** Makes the pages and the OpenAPI document where they are not of the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');

await report('the site of /docs', () => buildSite(root, process.argv.includes('--anew')));
