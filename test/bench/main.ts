import { run as approve } from './approve.ts';
import { run as bulk } from './bulk.ts';
import { run as create } from './create.ts';
import { run as deliveries } from './deliveries.ts';
import { run as fairness } from './fairness.ts';
import { run as exports } from './export.ts';
import { run as history } from './job-history.ts';
import { run as latency } from './latency.ts';
import { run as beneficiaries } from './lists.ts';
import { run as neighbours } from './neighbours.ts';
import { run as payouts } from './payout-list.ts';

/** `npm run bench -- <name>…`: each prints its figure, its floor and their ratio. */
const benches: Record<string, () => Promise<unknown>> = {
  create,
  approve,
  bulk,
  payouts,
  lists: beneficiaries,
  latency,
  export: exports,
  history,
  deliveries,
  fairness,
  neighbours,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Name one or more of: ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}
for (const name of names) await benches[name]?.();
