import { join } from 'node:path';
import { buildSite } from './build.ts';

/** Makes the pages and the OpenAPI document where they are not of the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');
const started = performance.now();
const built = await buildSite(root, process.argv.includes('--anew'));
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
console.log(built ? `Made the pages in ${seconds} s.` : 'The pages are of the present sources.');
