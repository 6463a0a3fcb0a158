import {
  beneficiaryStatus,
  type ComplianceStatus,
  type EnrollmentStatus,
} from '../../src/domain/beneficiary/chip.ts';
import { identityOf } from '../../src/domain/beneficiary/content.ts';
import { identityComplete } from '../../src/domain/beneficiary/identity.ts';
import { builder } from '../builder.ts';
import {
  BeneficiaryStatusEnum,
  CollectionScopeEnum,
  CollectionStatusEnum,
  ComplianceStatusEnum,
  EnrollmentStatusEnum,
} from './enums.ts';
import { Beneficiary } from './type.ts';
import { hasUsableAccount } from './usable-accounts.ts';

interface PendingRequest {
  readonly id: string;
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
  readonly expiresAt: Date;
}

const PendingCollectionRequest = builder
  .objectRef<PendingRequest>('PendingCollectionRequest')
  .implement({
    description: 'A live collection link, without its token (specification 2.5).',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Id of the request, a UUID.' }),
      scope: t.expose('scope', { type: CollectionScopeEnum, description: 'What it collects.' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires.' }),
    }),
  });

// The columns' CHECK constraints hold the values of the enums.
builder.prismaObjectFields(Beneficiary, (t) => ({
  complianceStatus: t.field({
    type: ComplianceStatusEnum,
    description: 'Whether the compliance gate is passed.',
    resolve: (row) => row.complianceStatus as ComplianceStatus,
  }),
  identityComplete: t.boolean({
    description: 'Whether every currently required identity field is there; derived.',
    resolve: (row) => identityComplete(identityOf(row)),
  }),
  acknowledgedAt: t.expose('acknowledgedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it was last acknowledged.',
  }),
  reacknowledgmentRequired: t.exposeBoolean('reacknowledgmentRequired', {
    description: 'Identity details changed since; new payouts wait for another acknowledgment.',
  }),
  collectionStatus: t.field({
    type: CollectionStatusEnum,
    description: 'How far the collection of the identity is.',
    resolve: (row) => row.collectionStatus as typeof CollectionStatusEnum.$inferType,
  }),
  detailsSubmittedAt: t.expose('detailsSubmittedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the payee completed the collection form.',
  }),
  status: t.field({
    type: BeneficiaryStatusEnum,
    description: 'What is needed next; derived (specification 3.3).',
    resolve: async (row, _args, context) =>
      beneficiaryStatus({
        complianceStatus: row.complianceStatus as ComplianceStatus,
        reacknowledgmentRequired: row.reacknowledgmentRequired,
        identityComplete: identityComplete(identityOf(row)),
        hasPayoutUsableBankAccount: await hasUsableAccount(context, row.id),
        enrollmentStatus: row.enrollmentStatus as EnrollmentStatus | null,
      }),
  }),
  enrollmentStatus: t.field({
    type: EnrollmentStatusEnum,
    nullable: true,
    description: 'Where the enrollment with the provider stands; null when there never was one.',
    resolve: (row) => row.enrollmentStatus as EnrollmentStatus | null,
  }),
  enrolledBankAccountId: t.exposeID('enrolledBankAccountId', {
    nullable: true,
    description: 'The bank account that enrollmentStatus tells of, once the provider took it.',
  }),
  pendingRequests: t.field({
    type: [PendingCollectionRequest],
    description: 'Live collection links; one at most today.',
    complexity: { field: 1, multiplier: 1 },
    resolve: () => [],
  }),
}));
