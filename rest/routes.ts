import type { Route } from './route.ts';
import { bankAccountRoutes } from './routes/bank-accounts.ts';
import { beneficiaryRoutes } from './routes/beneficiaries.ts';
import { businessRoutes } from './routes/business.ts';
import { exportRoutes } from './routes/exports.ts';
import { collectionRoutes } from './routes/collection.ts';
import { fundingRoutes } from './routes/funding.ts';
import { payoutBulkRoutes } from './routes/payouts-bulk.ts';
import { payoutRoutes } from './routes/payouts.ts';
import { referenceRoutes } from './routes/reference.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Every REST operation. What is not a row here, or named in `app.ts`, does not exist. */
export const routes: readonly Route[] = [
  ...collectionRoutes,
  ...beneficiaryRoutes,
  ...bankAccountRoutes,
  ...businessRoutes,
  ...exportRoutes,
  ...fundingRoutes,
  ...payoutBulkRoutes,
  ...payoutRoutes,
  ...referenceRoutes,
  ...sandboxRoutes,
  ...webhookRoutes,
];
