import { applyBankFile } from '../src/domain/bank-file/apply.ts';

import { fetchBankFiles, fetchConnectionFiles } from '../src/domain/bank-file/fetch.ts';
import { readStoredFile } from '../src/domain/bank-file/read.ts';
import { settleBankPayouts } from '../src/domain/bank-file/settle.ts';
import { closeBankBatches } from '../src/domain/bank-batch/close.ts';
import { expireApprovals } from '../src/domain/approval-policy/expire.ts';
import { watchApprovals } from '../src/domain/approval-policy/watch-approvals.ts';
import { sendBankBatch } from '../src/domain/bank-batch/send.ts';
import { sweepBankBatches } from '../src/domain/bank-batch/sweep.ts';
import { startDueExports } from '../src/domain/export/schedule.ts';
import { writeExport } from '../src/domain/export/write.ts';
import { expireRequests } from '../src/domain/collection/expire.ts';
import { releaseHeldPayouts } from '../src/domain/disbursement/payee-holds.ts';
import { continueRotation, startRotation } from '../src/domain/encryption/job.ts';
import { enrollByJob } from '../src/domain/enrollment/run.ts';
import { carryOverLedger } from '../src/domain/ledger/carry-over.ts';
import { carryOutErasure } from '../src/domain/operator/carry-out-erasure.ts';
import { matchLineByOrder } from '../src/domain/operator/match-bank-line.ts';
import { lookUpPayout } from '../src/domain/operator/look-up-payout.ts';
import { resolvePayout } from '../src/domain/operator/resolve-payout.ts';
import { countOutcomes } from '../src/domain/payout/outcomes.ts';
import { applyProviderEvent } from '../src/domain/provider-event/apply.ts';
import { reconcilePayouts } from '../src/domain/reconciliation/reconcile.ts';
import { deleteExpired } from '../src/domain/retention/delete-expired.ts';
import { fetchWatchlists } from '../src/domain/screening/fetch.ts';
import { checkNameOf } from '../src/domain/name-check/check.ts';
import { rescreenAll } from '../src/domain/screening/rescreen-all.ts';
import { rescreenTenant } from '../src/domain/screening/rescreen.ts';
import { screenBeneficiary } from '../src/domain/screening/screen.ts';
import { fundSandboxWallet } from '../src/domain/sandbox/fund-wallet.ts';
import { performSimulation } from '../src/domain/sandbox/simulate.ts';
import { deliverTogether } from '../src/domain/webhook/delivery/deliver-together.ts';
import { deliverWebhook } from '../src/domain/webhook/delivery/deliver.ts';
import { sweepDeliveries } from '../src/domain/webhook/schedule/sweep.ts';
import type { TaskName } from '../src/queue/tasks.ts';
import { disbursePayout } from './disburse-payout.ts';
import { inTenant, type Handler } from './handler.ts';
import { sendAccessMail } from './send-access-mail.ts';
import { sendCollectionMail } from './send-collection-mail.ts';
import { sendMemberMail } from './send-member-mail.ts';
import { sendProofMail, sendRegistrationMail } from './send-registration-mail.ts';
import { sendSignInMail } from './send-sign-in-mail.ts';

/** What each task of src/queue/tasks.ts does. */
export const handlers: { readonly [T in TaskName]: Handler<T> } = {
  apply_bank_file: inTenant('bank files', (call, { fileId }) => applyBankFile(call, fileId)),
  apply_provider_event: ({ provider, eventId }, services) =>
    applyProviderEvent(services, provider, eventId),
  carry_over_ledger: (_payload, services) => carryOverLedger(services),
  close_bank_batch: inTenant('bank files', (call, { connectionId, onRequest = false }) =>
    closeBankBatches(call, connectionId, { onRequest }),
  ),
  count_outcomes: (_payload, services) => countOutcomes(services),
  delete_expired: async (_payload, services) => {
    await deleteExpired(services);
  },
  deliver_webhook: inTenant('webhooks', (call, { deliveryId, others, replay = false }) =>
    others === undefined
      ? deliverWebhook(call, deliveryId, { replay })
      : deliverTogether(call, [deliveryId, ...others]),
  ),
  disburse_payout: disbursePayout,
  enroll_bank_account: inTenant('enrollment', (call, { enrollmentId }) =>
    enrollByJob(call, enrollmentId),
  ),
  erase_beneficiary: (order, services) => carryOutErasure(services, order),
  expire_approvals: async (_payload, services) => {
    await expireApprovals(services);
  },
  expire_collection_requests: async (_payload, services) => {
    await expireRequests(services);
  },
  fetch_bank_files: (_payload, services) => fetchBankFiles(services),
  fetch_connection_files: inTenant('bank files', (call, { connectionId }) =>
    fetchConnectionFiles(call, connectionId),
  ),
  fetch_watchlists: (_payload, services) => fetchWatchlists(services),
  fund_sandbox_wallet: inTenant('funding', (call) => fundSandboxWallet(call)),
  look_up_payout: (order, services) => lookUpPayout(services, order),
  match_bank_line: (order, services) => matchLineByOrder(services, order),
  read_bank_file: inTenant('bank files', (call, { fileId }) => readStoredFile(call, fileId)),
  reconcile_payouts: (_payload, services) => reconcilePayouts(services),
  release_payouts: inTenant('compliance', (call, { beneficiaryId }) =>
    releaseHeldPayouts(call, beneficiaryId),
  ),
  resolve_payout: (order, services) => resolvePayout(services, order),
  rotate_keys: ({ pass }, services) =>
    pass === null ? startRotation(services) : continueRotation(services, pass),
  rescreen: (_payload, services) => rescreenAll(services),
  rescreen_tenant: inTenant('screening', (call) => rescreenTenant(call)),
  check_name: inTenant('names', (call, { bankAccountId, version, tries }) =>
    checkNameOf(call, { bankAccountId, version }, tries),
  ),
  screen_beneficiary: inTenant('screening', (call, { beneficiaryId }) =>
    screenBeneficiary(call, beneficiaryId, 'payee'),
  ),
  send_access_mail: sendAccessMail,
  send_bank_batch: inTenant('bank files', (call, { batchId }) => sendBankBatch(call, batchId)),
  send_collection_mail: sendCollectionMail,
  send_member_mail: sendMemberMail,
  send_proof_mail: sendProofMail,
  send_registration_mail: sendRegistrationMail,
  send_sign_in_mail: sendSignInMail,
  settle_bank_payouts: (_payload, services) => settleBankPayouts(services),
  simulate_payout_event: inTenant('simulation', (call, { payoutId, event }) =>
    performSimulation(call, payoutId, event),
  ),
  start_due_exports: async (_payload, services) => {
    await startDueExports(services);
  },
  sweep_bank_batches: (_payload, services) => sweepBankBatches(services),
  sweep_webhooks: async ({ after }, services) => {
    await sweepDeliveries(services, after);
  },
  watch_approvals: async (_payload, services) => {
    await watchApprovals(services);
  },
  write_export: inTenant('exports', (call, { exportId }) => writeExport(call, exportId)),
};
