import type { LinkClient } from '../../src/access/rate-limit/collection.ts';
import {
  readCollectionForm,
  type AskingCompany,
  type CollectionForm as Form,
} from '../../src/domain/collection/form.ts';
import type { DraftPart } from '../../src/domain/collection/draft.ts';
import type { CollectionState } from '../../src/domain/collection/request.ts';
import { saveCollection } from '../../src/domain/collection/save.ts';
import { submitCollection } from '../../src/domain/collection/submit.ts';
import { BeneficiaryTypeEnum, CollectionScopeEnum } from '../beneficiary/enums.ts';
import { listOf, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import type { Context } from '../context.ts';
import { CollectionBranding } from './branding.ts';
import { CollectionInput } from './form-input.ts';
import { CollectionReview } from './review.ts';

export const CollectionStateEnum = describedEnum<CollectionState>(
  'CollectionState',
  'What became of a collection link.',
  {
    live: 'The link can be used.',
    submitted: 'The link was used.',
    canceled: 'The business canceled it.',
    superseded: 'A newer link took its place.',
    expired: 'Its time is over.',
  },
);

const CollectionPartEnum = describedEnum<DraftPart>(
  'CollectionPart',
  'A part of the form that is kept in the draft.',
  {
    identity: 'Name, birth date or registration, and the like.',
    address: 'Postal address.',
    bank_account: 'Bank account.',
  },
);

const CollectionCompany = builder.objectRef<AskingCompany>('CollectionCompany').implement({
  description: 'The registered company that asks, from the profile of the business.',
  fields: (t) =>
    shown(t, {
      legalName: text('Legal name.'),
      registrationNumber: text.orNull('Company registration number.'),
      country: text.orNull('ISO 3166-1 alpha-2 country of registration.'),
    }),
});

export const CollectionForm = builder.objectRef<Form>('CollectionForm').implement({
  description:
    'What the holder of a collection link sees: who asks, for what, and what was saved through the link, masked. It holds nothing that the business knows of the beneficiary.',
  fields: (t) =>
    shown(t, {
      state: of(CollectionStateEnum, 'Whether it can be used.'),
      scope: of(CollectionScopeEnum, 'What is asked for.'),
      businessName: text(
        'Legal name of the business that asks, else the name that it registered with.',
      ),
      company: of.orNull(
        CollectionCompany,
        'The registered company; null while the profile has no legal name.',
      ),
      branding: of(CollectionBranding, 'How its pages look, and whom the reader can ask.'),
      environment: of(EnvironmentEnum, 'sandbox: it is a test, and no money moves.'),
      beneficiaryType: of(BeneficiaryTypeEnum, 'Whether a person or a business is asked.'),
      expiresAt: time('When the link expires.'),
      given: listOf(
        CollectionPartEnum,
        'The parts that are saved and complete; none when the link is not live.',
      ),
      review: of(CollectionReview, 'What is saved, masked, to be checked before it is sent.'),
    }),
});

function linkClient({ services, clientAddress, reportLimit }: Context): LinkClient {
  return { services, clientAddress, reportLimit };
}

builder.queryField('collectionForm', (t) =>
  t.field({
    type: CollectionForm,
    nullable: true,
    description:
      'The form of a collection link; null for an unknown token. The token is the credential: no API key is needed. Opening the form does not use the link up. Throws too_many_requests beyond the limits of a link and of a client address.',
    args: { token: t.arg.string({ required: true, description: 'The token of the link.' }) },
    resolve: (_root, { token }, context) => readCollectionForm(linkClient(context), token),
  }),
);

builder.mutationFields((t) => ({
  collectionSave: t.field({
    type: CollectionForm,
    nullable: true,
    description:
      'Keeps a part of what a payee gives, encrypted, until it is submitted. Checks only what is given: validation_failed with each rejected field. The identity is merged by field; an address and a bank account are replaced as a whole. not_found for an unknown token, conflict for a link that is not live.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the link.' }),
      input: t.arg({ type: CollectionInput, required: true, description: 'What is given.' }),
    },
    resolve: (_root, { token, input }, context) =>
      saveCollection(linkClient(context), token, input),
  }),
  collectionSubmit: t.field({
    type: CollectionForm,
    nullable: true,
    description:
      'Submits what was saved together with what is given now, which replaces what was saved, and uses the link up: all of it or nothing. validation_failed names each field that is wrong or missing; not_found for an unknown token; conflict for a link that is not live.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the link.' }),
      input: t.arg({ type: CollectionInput, description: 'What is given now.' }),
    },
    resolve: (_root, { token, input }, context) =>
      submitCollection(linkClient(context), token, input ?? null),
  }),
}));
