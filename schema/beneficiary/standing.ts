import type { Beneficiary as BeneficiaryRow } from '../../generated/prisma/client.ts';
import {
  beneficiaryStatus,
  type ComplianceStatus,
  type EnrollmentStatus,
} from '../../src/domain/beneficiary/status.ts';
import { identityOf } from '../../src/domain/beneficiary/content.ts';
import { identityComplete } from '../../src/domain/beneficiary/identity.ts';
import type { StatusFacts } from '../../src/domain/beneficiary/status-facts.ts';
import { bool, id, of, stored, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import type { Context } from '../context.ts';
import {
  BeneficiaryStatusEnum,
  CollectionScopeEnum,
  CollectionStatusEnum,
  ComplianceStatusEnum,
  EnrollmentStatusEnum,
} from './enums.ts';
import { statusFactsOf } from './standing-loader.ts';
import { Beneficiary } from './type.ts';

const PendingCollectionRequest = builder
  .objectRef<NonNullable<StatusFacts['liveRequest']>>('PendingCollectionRequest')
  .implement({
    description: 'A live collection link, without its token.',
    fields: (t) =>
      shown(t, {
        id: id('Id of the request, a UUID.'),
        scope: of(CollectionScopeEnum, 'What it collects.'),
        expiresAt: time('When it expires.'),
      }),
  });

type CollectionStatus = typeof CollectionStatusEnum.$inferType;

/** A link whose time is over invites nobody, also before the job has written so. */
async function collectionStatusOf(
  context: Context,
  row: BeneficiaryRow,
): Promise<CollectionStatus> {
  if (row.collectionStatus !== 'invited') return row.collectionStatus as CollectionStatus;
  const { liveRequest } = await statusFactsOf(context, row.id);
  if (liveRequest?.scope === 'full_onboarding') return 'invited';
  return row.detailsSubmittedAt === null ? 'not_invited' : 'details_submitted';
}

// The columns' CHECK constraints hold the values of the enums.
builder.prismaObjectFields(Beneficiary, (t) =>
  shown(t, {
    complianceStatus: stored(ComplianceStatusEnum, 'Whether the beneficiary may be paid.'),
    identityComplete: t.boolean({
      description: 'Whether every identity field that is required is present.',
      resolve: (row) => identityComplete(identityOf(row)),
    }),
    acknowledgedAt: time.orNull(
      'When the business last attested that it verified the beneficiary.',
    ),
    reacknowledgmentRequired: bool(
      'Whether identity details changed after the acknowledgment. New payouts are refused until the business acknowledges again.',
    ),
    collectionStatus: t.field({
      type: CollectionStatusEnum,
      description: 'How far the collection of the identity is.',
      resolve: (row, _args, context) => collectionStatusOf(context, row),
    }),
    detailsSubmittedAt: time.orNull('When the payee completed the collection form.'),
    status: t.field({
      type: BeneficiaryStatusEnum,
      description:
        'What the beneficiary needs next. It follows from the other fields and cannot be set.',
      resolve: async (row, _args, context) =>
        beneficiaryStatus({
          complianceStatus: row.complianceStatus as ComplianceStatus,
          reacknowledgmentRequired: row.reacknowledgmentRequired,
          identityComplete: identityComplete(identityOf(row)),
          hasPayoutUsableBankAccount: (await statusFactsOf(context, row.id)).hasUsableAccount,
          enrollmentStatus: row.enrollmentStatus as EnrollmentStatus | null,
        }),
    }),
    enrollmentStatus: stored.orNull(
      EnrollmentStatusEnum,
      'State of the enrollment with the provider; null when there was none.',
    ),
    enrolledBankAccountId: id.orNull(
      'The bank account that is enrolled; null until the provider has accepted one.',
    ),
    pendingRequests: t.field({
      type: [PendingCollectionRequest],
      description: 'Live collection links, of which there is one at most.',
      complexity: { field: 1, multiplier: 1 },
      resolve: async (row, _args, context) => {
        const { liveRequest } = await statusFactsOf(context, row.id);
        return liveRequest === null ? [] : [liveRequest];
      },
    }),
  }),
);
