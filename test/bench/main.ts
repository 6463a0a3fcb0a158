import { make } from '../../tools/build/make.ts';
import { benches } from './benches.ts';
import { small } from './config.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Name one or more of: ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}
if (!small) await make('site', 'bundle');
for (const name of names) await benches[name]?.();
