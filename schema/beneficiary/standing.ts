import type { Beneficiary as BeneficiaryRow } from '../../generated/prisma/client.ts';
import {
  beneficiaryStatus,
  type ComplianceStatus,
  type EnrollmentStatus,
} from '../../src/domain/beneficiary/status.ts';
import { shownFields } from '../../src/domain/beneficiary/fields.ts';
import { identityOf } from '../../src/domain/beneficiary/content.ts';
import { identityComplete } from '../../src/domain/beneficiary/identity.ts';
import type { StatusFacts } from '../../src/domain/beneficiary/status-facts.ts';
import { id, of, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { resolved, shown } from '../common/fields.ts';
import type { Context } from '../context.ts';
import { CollectionScopeEnum, type CollectionStatusEnum } from './enums.ts';
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

builder.prismaObjectFields(Beneficiary, (t) =>
  shown(t, {
    identityComplete: resolved(t, shownFields.identityComplete, (row) =>
      identityComplete(identityOf(row)),
    ),
    collectionStatus: resolved(t, shownFields.collectionStatus, (row, _args, context) =>
      collectionStatusOf(context, row),
    ),
    status: resolved(t, shownFields.status, async (row, _args, context) =>
      beneficiaryStatus({
        complianceStatus: row.complianceStatus as ComplianceStatus,
        reacknowledgmentRequired: row.reacknowledgmentRequired,
        identityComplete: identityComplete(identityOf(row)),
        hasPayoutUsableBankAccount: (await statusFactsOf(context, row.id)).hasUsableAccount,
        enrollmentStatus: row.enrollmentStatus as EnrollmentStatus | null,
      }),
    ),
    enrolledBankAccountId: id.orNull(
      'The bank account that is enrolled; null until the provider has accepted one.',
    ),
    pendingRequests: t.field({
      type: [PendingCollectionRequest],
      description: shownFields.pendingRequests.description,
      complexity: { field: 1, multiplier: 1 },
      resolve: async (row, _args, context) => {
        const { liveRequest } = await statusFactsOf(context, row.id);
        return liveRequest === null ? [] : [liveRequest];
      },
    }),
  }),
);
