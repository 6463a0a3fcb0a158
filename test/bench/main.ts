import { join } from 'node:path';
import { buildService } from '../../tools/build/service.ts';
import { benches } from './benches.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Name one or more of: ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}
await buildService(join(import.meta.dirname, '../..'));
for (const name of names) await benches[name]?.();
