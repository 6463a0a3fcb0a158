import { cancelRequest } from '../../src/domain/collection/cancel.ts';
import {
  inviteBeneficiaries,
  inviteInBulk,
  type InviteResult,
} from '../../src/domain/collection/invite.ts';
import { BeneficiaryTypeEnum, CollectionScopeEnum } from '../beneficiary/enums.ts';
import { spreadOverTurns } from '../../src/concurrency/event-loop.ts';
import { id, int, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { RowError, rowFailure } from '../common/row-error.ts';
import { CollectionLanguageEnum } from './language.ts';
import { CollectionRequest } from './request.ts';

const CollectionInviteInput = builder.inputType('CollectionInviteInput', {
  description:
    'Whom to invite: a beneficiary by its id, or by its e-mail address. When nobody has that address, a beneficiary is registered, which needs a legal name.',
  fields: (t) => ({
    beneficiaryId: t.id({
      description: 'An active beneficiary. Then only scope and language may be given with it.',
    }),
    email: t.string({
      description: 'Address of an active beneficiary of the type, or of one to be registered.',
    }),
    beneficiaryType: t.field({
      type: BeneficiaryTypeEnum,
      description: 'Needed with email: person or business.',
    }),
    firstName: t.string({ description: 'Person: given name.' }),
    lastName: t.string({ description: 'Person: family name.' }),
    businessName: t.string({ description: 'Business: legal name.' }),
    nickname: t.string({ description: 'Label of the beneficiary, if one is registered.' }),
    scope: t.field({
      type: CollectionScopeEnum,
      description: 'What is asked for; full_onboarding by default.',
    }),
    language: t.field({
      type: CollectionLanguageEnum,
      description:
        'Language of the mail and the form. By default that of the country of the beneficiary, else of the branding, else English.',
    }),
  }),
});

const CollectionInviteStatusEnum = describedEnum<InviteResult['status']>(
  'CollectionInviteStatus',
  'What became of a row.',
  {
    invited: 'The link is live.',
    failed: 'The row was refused; see error.',
  },
);

const CollectionInviteResult = builder.objectRef<InviteResult>('CollectionInviteResult').implement({
  description: 'The result of one invite.',
  fields: (t) =>
    shown(t, {
      index: int('Position of the row, from 0.'),
      status: of(CollectionInviteStatusEnum, 'What became of the row.'),
      beneficiaryId: id.orNull('Who is invited; null for a failed row.'),
      collectionRequest: t.field({
        type: CollectionRequest,
        nullable: true,
        description: 'The live request; null for a failed row.',
        resolve: ({ request }) => request,
      }),
      error: t.field({
        type: RowError,
        nullable: true,
        description: 'Why the row failed.',
        resolve: ({ error }) => rowFailure(error),
      }),
    }),
});

builder.mutationFields((t) => ({
  collectionInvite: t.field({
    type: [CollectionInviteResult],
    nullable: true,
    description:
      'Invites 1 to 100 beneficiaries to give their details through a hosted form, whose link goes out by e-mail and ends the one before. Each succeeds or fails on its own. Repeating a row that names an address within 15 minutes answers with the live request and mails nothing; a row that names an id is a resend.',
    args: {
      invites: t.arg({
        type: [CollectionInviteInput],
        // A null row is one that a surface refused by its shape: it fails, the others go on.
        required: { list: true, items: false },
        description: 'Whom to invite.',
      }),
    },
    resolve: (_root, { invites }, context) => inviteBeneficiaries(context.call, invites),
  }),
  collectionInviteBulk: t.field({
    type: [CollectionInviteResult],
    nullable: true,
    description: 'As collectionInvite, for up to 1,000 rows: a list, or a CSV file.',
    args: {
      rows: t.arg({
        type: [CollectionInviteInput],
        required: { list: false, items: false },
        description: 'The rows; excludes csv.',
      }),
      csv: t.arg({
        type: 'Base64Bytes',
        description:
          'RFC 4180 in UTF-8, with a header row of email, beneficiary_type, first_name, last_name, business_name, nickname, scope and language, of which the first two are needed, in any order.',
      }),
    },
    resolve: async (_root, args, context) =>
      spreadOverTurns(await inviteInBulk(context.call, args)),
  }),
  collectionRequestCancel: t.field({
    type: CollectionRequest,
    nullable: true,
    description:
      'Cancels a collection request: its link stops working. Repeating it changes nothing; conflict once the details were submitted.',
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'Who was asked.' }),
      id: t.arg.id({ required: true, description: 'The request, a UUID.' }),
    },
    resolve: (_root, { beneficiaryId, id }, context) =>
      cancelRequest(context.call, beneficiaryId, id),
  }),
}));
