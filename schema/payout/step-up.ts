import { beginApproval, type StepUpBegun } from '../../src/domain/payout/begin-step-up.ts';
import { text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';

const StepUp = builder.objectRef<StepUpBegun>('PayoutStepUp').implement({
  description: 'What a person is asked to sign with a passkey, for five minutes and once.',
  fields: (t) =>
    shown(t, {
      payoutIds: t.idList({
        description: 'The payouts that it is about.',
        resolve: ({ payoutIds }) => [...payoutIds],
      }),
      leftOut: t.idList({
        description: 'The payouts that were named and wait for no approval that can be given.',
        resolve: ({ leftOut }) => [...leftOut],
      }),
      text: text(
        'What is signed, to be shown as it is: JSON with amount, payee, account and what else the approval is about; of several payouts their number, the totals and SHA-256 over the texts of all.',
      ),
      options: t.field({
        type: 'JSON',
        description:
          'PublicKeyCredentialRequestOptionsJSON of Web Authentication (https://www.w3.org/TR/webauthn-3/), whose challenge is SHA-256 over a domain, random bytes and the text.',
        resolve: ({ options }) => options,
      }),
      expiresAt: time('Until when the answer counts.'),
    }),
});

builder.mutationField('payoutStepUpBegin', (t) =>
  t.field({
    nullable: true,
    type: StepUp,
    description:
      'Asks the passkey of the person who is signed in for a signature over the approval of payouts, which payoutApprove or payoutBulkApprove takes in the same session. Throws PAYOUT_NOT_FOUND, INVALID_STATE_TRANSITION, BANK_ACCOUNT_CHANGED, and STEP_UP_REQUIRED for an API key and for a person without a passkey that may sign.',
    args: { payoutIds: t.arg.idList({ required: true, description: 'Up to 100 payouts.' }) },
    resolve: (_root, { payoutIds }, { call }) => beginApproval(call, payoutIds),
  }),
);
