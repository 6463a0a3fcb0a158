import { applyProviderEvent } from './apply-provider-event.ts';
import { deleteExpired } from './delete-expired.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { disbursePayout } from './disburse-payout.ts';
import { enrollBankAccount } from './enroll-bank-account.ts';
import { expireCollectionRequests } from './expire-collection-requests.ts';
import { fundSandboxWallet } from './fund-sandbox-wallet.ts';
import { lookUpPayout } from './look-up-payout.ts';
import { reconcilePayouts } from './reconcile-payouts.ts';
import { releasePayouts } from './release-payouts.ts';
import { resolvePayout } from './resolve-payout.ts';
import { rotateKeys } from './rotate-keys.ts';
import { sendCollectionMail } from './send-collection-mail.ts';
import { sendMemberMail } from './send-member-mail.ts';
import { sendRegistrationMail } from './send-registration-mail.ts';
import { simulatePayoutEvent } from './simulate-payout-event.ts';
import { startDueExports } from './start-due-exports.ts';
import { sweepWebhooks } from './sweep-webhooks.ts';
import { writeExport } from './write-export.ts';

/** Every task of the worker. */
export const tasks = [
  applyProviderEvent,
  deleteExpired,
  deliverWebhook,
  disbursePayout,
  enrollBankAccount,
  expireCollectionRequests,
  fundSandboxWallet,
  lookUpPayout,
  reconcilePayouts,
  releasePayouts,
  resolvePayout,
  rotateKeys,
  sendCollectionMail,
  sendMemberMail,
  sendRegistrationMail,
  simulatePayoutEvent,
  startDueExports,
  sweepWebhooks,
  writeExport,
] as const;

/**
 * What runs by the clock (graphile-worker's crontab syntax, UTC), on one worker each time. The job
 * keys keep a task that is paused, or slower than its clock, from piling up jobs: the new one takes
 * the place of the one that waits. A key must not be one that the task itself adds jobs under.
 */
export const crontab = [
  '* * * * * sweep_webhooks ?jobKey=clock_sweep_webhooks',
  '* * * * * reconcile_payouts ?jobKey=reconcile_payouts',
  '* * * * * expire_collection_requests ?jobKey=expire_collection_requests',
  '* * * * * start_due_exports ?jobKey=start_due_exports',
  '17 * * * * rotate_keys ?jobKey=clock_rotate_keys',
  '41 * * * * delete_expired ?jobKey=clock_delete_expired',
].join('\n');
