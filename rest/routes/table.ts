import type { Route } from '../route/route.ts';
import { bankAccountRoutes } from './bank-accounts.ts';
import { beneficiaryRoutes } from './beneficiaries.ts';
import { businessRoutes } from './business.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './exports.ts';
import { collectionRoutes } from './collection.ts';
import { fundingRoutes } from './funding.ts';
import { payoutBatchRoutes } from './payout-batches.ts';
import { payoutBulkRoutes } from './payouts-bulk.ts';
import { payoutRoutes } from './payouts.ts';
import { personalDataRoutes } from './personal-data.ts';
import { referenceRoutes } from './reference.ts';
import { sandboxRoutes } from './sandbox.ts';
import { screeningRoutes } from './screening.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every REST operation. What is not a row here, or named in `app.ts`, does not exist. */
export const routes: readonly Route[] = [
  ...collectionRoutes,
  ...beneficiaryRoutes,
  ...personalDataRoutes,
  ...bankAccountRoutes,
  ...businessRoutes,
  ...exportRoutes,
  ...fundingRoutes,
  ...payoutBulkRoutes,
  ...payoutRoutes,
  ...payoutBatchRoutes,
  ...referenceRoutes,
  ...sandboxRoutes,
  ...screeningRoutes,
  ...webhookRoutes,
  ...eventRoutes,
];
