import { run as approve } from './approve.ts';
import { run as bulk } from './bulk.ts';
import { run as create } from './create.ts';
import { run as deliveries } from './deliveries.ts';
import { run as fairness } from './fairness.ts';
import { run as figures } from './figures.ts';
import { run as exports } from './export.ts';
import { run as history } from './job-history.ts';
import { run as latency } from './latency.ts';
import { run as ledger } from './ledger.ts';
import { run as beneficiaries } from './lists.ts';
import { run as neighbours } from './neighbours.ts';
import { run as policy } from './policy.ts';
import { run as payouts } from './payout-list.ts';
import { run as pipeline } from './pipeline.ts';
import { run as scrape } from './scrape.ts';
import { run as screening } from './screening.ts';
import { run as statement } from './statement.ts';
import { run as soak } from './soak.ts';

/** What `npm run bench -- <name>…` runs: each prints its figure, its floor and their ratio. */
export const benches: Record<string, () => Promise<unknown>> = {
  create,
  approve,
  bulk,
  payouts,
  lists: beneficiaries,
  latency,
  ledger,
  export: exports,
  history,
  deliveries,
  fairness,
  figures,
  neighbours,
  pipeline,
  policy,
  scrape,
  screening,
  statement,
  soak,
};
