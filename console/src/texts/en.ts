import { approvalTexts } from './en/approvals.ts';
import { authorTexts } from './en/authors.ts';
import { commonTexts } from './en/common.ts';
import { errorTexts } from './en/errors.ts';
import { exportTexts } from './en/exports.ts';
import { keyTexts } from './en/keys.ts';
import { memberTexts } from './en/members.ts';
import { operatorBankTexts } from './en/operator-banks.ts';
import { operatorTexts } from './en/operator.ts';
import { operatorPayoutTexts } from './en/operator-payout.ts';
import { payeeTexts } from './en/payees.ts';
import { settingsTexts } from './en/settings.ts';
import { webhookTexts } from './en/webhooks.ts';
import { overviewTexts } from './en/overview.ts';
import { sessionsTexts } from './en/sessions.ts';
import { importTexts } from './en/payout-import.ts';
import { newPayoutTexts } from './en/payout-new.ts';
import { payoutPageTexts } from './en/payout.ts';
import { payoutTexts } from './en/payouts.ts';
import { signInTexts } from './en/sign-in.ts';

/**
 * Every text of the console, in English. A page's texts are a file of its own in `en/`, named here; a
 * translation is a catalogue of the same type.
 */
export const texts = {
  ...commonTexts,
  approvals: approvalTexts,
  author: authorTexts,
  errors: errorTexts,
  import: importTexts,
  newPayout: newPayoutTexts,
  overview: overviewTexts,
  sessions: sessionsTexts,
  payout: payoutPageTexts,
  payouts: payoutTexts,
  signIn: signInTexts,
  webhooks: webhookTexts,
  settings: settingsTexts,
  payees: payeeTexts,
  operator: operatorTexts,
  operatorPayout: operatorPayoutTexts,
  operatorBanks: operatorBankTexts,
  members: memberTexts,
  keys: keyTexts,
  exports: exportTexts,
};
