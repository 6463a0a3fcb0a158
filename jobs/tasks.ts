import { applyProviderEvent } from './apply-provider-event.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { disbursePayout } from './disburse-payout.ts';
import { enrollBankAccount } from './enroll-bank-account.ts';
import { fundSandboxWallet } from './fund-sandbox-wallet.ts';
import { reconcilePayouts } from './reconcile-payouts.ts';
import { releasePayouts } from './release-payouts.ts';
import { rotateKeys } from './rotate-keys.ts';
import { sendRegistrationMail } from './send-registration-mail.ts';
import { simulatePayoutEvent } from './simulate-payout-event.ts';
import { sweepWebhooks } from './sweep-webhooks.ts';

/** Every task of the worker. */
export const tasks = [
  applyProviderEvent,
  deliverWebhook,
  disbursePayout,
  enrollBankAccount,
  fundSandboxWallet,
  reconcilePayouts,
  releasePayouts,
  rotateKeys,
  sendRegistrationMail,
  simulatePayoutEvent,
  sweepWebhooks,
] as const;

/** What runs by the clock (graphile-worker's crontab syntax, UTC). */
export const crontab =
  '* * * * * sweep_webhooks\n* * * * * reconcile_payouts ?jobKey=reconcile_payouts\n17 * * * * rotate_keys';
