import { readCauses } from '../../src/domain/ledger/entry-list.ts';
import {
  type LedgerAccountName,
  type LedgerKind,
  type LedgerMode,
} from '../../src/domain/ledger/names.ts';
import type { CurrencyBalance } from '../../src/domain/ledger/books.ts';
import { id, int, minorUnits, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { loadBy } from '../lists/loader.ts';
import { PayoutTransition } from '../payout/relations.ts';

export const LedgerModeEnum = describedEnum<LedgerMode>(
  'LedgerMode',
  'Whether more may be approved than there is (docs/ledger.md).',
  {
    reported: 'The balance is a reported figure, and no approval is refused for it.',
    enforced: 'An approval of more than is available is refused.',
  },
);

const LedgerAccountEnum = describedEnum<LedgerAccountName>(
  'LedgerAccount',
  'The accounts of a tenant in a currency. A debit adds to an account and a credit takes from it (docs/ledger.md).',
  {
    funds: "The business's own money; a part of it is held for approved payouts.",
    in_transit: 'What the provider has and has not settled.',
    paid: 'What has arrived.',
    fees: 'What providers and banks took.',
    external: 'The other side of what came in and went out: the negative of the rest.',
  },
);

export const LedgerKindEnum = describedEnum<LedgerKind>(
  'LedgerKind',
  'What an entry stands for (docs/ledger.md).',
  {
    hold: 'The payout is approved: the amount is reserved, and nothing moves yet.',
    release: 'The reservation ends: an approved payout did not leave.',
    disburse: 'The provider has sent it; the reservation ends too.',
    settle: 'It has arrived.',
    return: 'It came back.',
    fail: 'It failed after it had left.',
    fee: 'A provider or a bank took a fee.',
    funding: 'Money came in.',
    withdrawal: 'Money went out otherwise than by a payout.',
  },
);

export const LedgerBalance = builder.objectRef<CurrencyBalance>('LedgerBalance').implement({
  description: 'What the books say in one currency (docs/ledger.md).',
  fields: (t) => {
    const sum = (name: Exclude<keyof CurrencyBalance, 'currency'>, description: string) =>
      t.expose(name, {
        type: 'MinorUnitsTotal',
        description: `${description}, in minor units of currency.`,
      });
    return {
      currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
      postedMinor: sum('postedMinor', 'What is on the account funds'),
      heldMinor: sum('heldMinor', 'Reserved for approved payouts'),
      availableMinor: sum(
        'availableMinor',
        'What may still be promised: posted less held. A sandbox draws nothing down, so there it is what is posted',
      ),
      inTransitMinor: sum('inTransitMinor', 'What the provider has and has not settled'),
      paidMinor: sum('paidMinor', 'What has arrived'),
      feesMinor: sum('feesMinor', 'What providers and banks took'),
      shortfallMinor: sum(
        'shortfallMinor',
        'What approved payouts need more than there is while funds are enforced, because money went out after their approval; zero otherwise',
      ),
    };
  },
});

const causeOf = loadBy(readCauses, ({ payoutId, seq }) => `${payoutId} ${seq}`);

export const LedgerEntry = builder.prismaNode('LedgerEntry', {
  description:
    'One entry of the books: an amount from one account to another. It is never changed or deleted (docs/ledger.md).',
  id: { resolve: (entry) => entry.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      kind: stored(
        LedgerKindEnum,
        'What it stands for. hold and release reserve and move nothing.',
      ),
      currency: text('ISO 4217 code.'),
      amountMinor: minorUnits('Minor units of currency, always above zero.'),
      debitAccount: stored(LedgerAccountEnum, 'The account that it adds to.'),
      creditAccount: stored(LedgerAccountEnum, 'The account that it takes from, or reserves on.'),
      payoutId: id.orNull('The payout whose money it is; null where it is of none.'),
      transitionSeq: int.orNull(
        'Number of the transition of the payout that caused it; null where none did.',
      ),
      transition: t.field({
        type: PayoutTransition,
        nullable: true,
        description: 'The transition of the payout that caused it; null where none did.',
        resolve: ({ payoutId, transitionSeq: seq }, _args, context) =>
          payoutId === null || seq === null ? null : causeOf(context, { payoutId, seq }),
      }),
      source: text.orNull(
        'The report, statement line or order that caused it, which is booked once; null where a transition did.',
      ),
      recordedAt: time('When it was recorded.'),
    }),
});
