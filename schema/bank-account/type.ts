import type { BankAccount as BankAccountRow } from '../../generated/prisma/client.ts';
import { shownFields } from '../../src/domain/bank-account/fields.ts';
import type { accountTypes } from '../../src/domain/bank-account/input.ts';
import {
  isPayoutUsable,
  noRoute,
  unusableReason,
  type UnusableCode,
  type UnusableReason,
} from '../../src/domain/bank-account/usability.ts';
import { openHolder } from '../../src/domain/bank-account/details.ts';
import { readReach } from '../../src/domain/route/reach.ts';
import { of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { resolved, shown } from '../common/fields.ts';
import type { Context } from '../context.ts';
import { describedEnum } from '../common/described-enum.ts';
import { nameCheckOf } from './name-check.ts';

describedEnum(
  'BankAccountStatus',
  'Whether the account is verified. It becomes so with the compliance of its owner.',
  {
    pending_verification: 'The owner is not compliant yet.',
    verified: 'The owner is compliant.',
  },
);

describedEnum(
  'ValidationStatus',
  'Whether the routing details passed a check. Many countries have no check, and their accounts stay unvalidated.',
  {
    unvalidated: 'No check was passed; no payouts can go there.',
    validated: 'The routing details passed a check.',
  },
);

export const AccountTypeEnum = describedEnum<(typeof accountTypes)[number]>(
  'AccountType',
  'US ACH account type.',
  {
    checking: 'For daily payments.',
    savings: 'For deposits.',
  },
);

const UnusableCodeEnum = describedEnum<UnusableCode>(
  'BankAccountUnusableCode',
  'What stands between a bank account and payouts.',
  {
    iban_required:
      'Accounts of the country are paid by IBAN, and this one was registered without: a UK sort code with an account number. Send the IBAN with bankAccountUpdate.',
    country_not_supported: 'Accounts of the country cannot be checked, so they are never paid.',
    rail_rejected: 'The payment rail refused the account; railRejectionReason says why.',
    not_verified: 'The owner is not compliant yet; beneficiaryAcknowledge changes that.',
    no_route:
      'The account is in order, and no route of the business pays its currency to its country (payoutRoutes). It may stand beside payoutUsable: true.',
  },
);

builder.objectRef<UnusableReason>('BankAccountUnusable').implement({
  description: 'Why a bank account is no destination of payouts, and how to change that.',
  fields: (t) =>
    shown(t, {
      code: of(UnusableCodeEnum, 'The reason; stable.'),
      message: text('For people: what is wrong, and the next call. It may change.'),
    }),
});

const reach = new WeakMap<Context, ReturnType<typeof readReach>>();

/** Where the routes could pay, read once for an operation that shows many accounts. */
function reachOf(context: Context): ReturnType<typeof readReach> {
  const known = reach.get(context) ?? readReach(context.call, context.services.pool);
  reach.set(context, known);
  return known;
}

/** An account as `bankAccountRegister` answers it; without the mark everywhere else. */
interface Registration extends Pick<BankAccountRow, 'id'> {
  readonly registeredBefore?: boolean;
}

export const BankAccount = builder.prismaNode('BankAccount', {
  description:
    'A bank account of a beneficiary, to which payouts go. Its identifiers are encrypted and never returned.',
  id: { resolve: (account) => account.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      ...shownFields,
      accountHolderName: resolved(t, shownFields.accountHolderName, (account, _args, { call }) =>
        openHolder(call, 'bankAccount', account),
      ),
      nameCheck: resolved(t, shownFields.nameCheck, (account, _args, context) =>
        nameCheckOf(account, context),
      ),
      payoutUsable: resolved(t, shownFields.payoutUsable, isPayoutUsable),
      unusableReason: resolved(
        t,
        shownFields.unusableReason,
        async (account, _args, context) =>
          unusableReason(account) ?? ((await reachOf(context))(account) ? null : noRoute(account)),
      ),
      registeredBefore: t.boolean({
        description:
          'Of an answer of bankAccountRegister: the owner had the account already. false everywhere else.',
        resolve: (account: Registration) => account.registeredBefore ?? false,
      }),
    }),
});
