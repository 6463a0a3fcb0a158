import type { IssuedKey } from '../../src/access/key.ts';
import { admitRegistration } from '../../src/access/rate-limit/registration.ts';
import { updateProfile } from '../../src/domain/business/profile.ts';
import { registerBusiness, type RegisteredBusiness } from '../../src/domain/business/register.ts';
import { id, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { PostalAddressInput } from '../common/postal-address.ts';
import { EnvironmentEnum, RoleEnum } from './enums.ts';
import { Business, BusinessProfile, Membership, User } from './type.ts';

export const IssuedApiKey = builder.objectRef<IssuedKey>('IssuedApiKey').implement({
  description: 'A new API key, at the one moment when it is shown.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the key.'),
      environment: of(EnvironmentEnum, 'Environment that the key opens.'),
      role: of(RoleEnum, 'What the key may do.'),
      key: text('The secret text of the key. It is shown only here.'),
    }),
});

const RegistrationInput = builder.inputType('BusinessRegisterInput', {
  description: 'Who registers which company.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Address of the first user.' }),
    companyName: t.string({ required: true, description: 'Name of the company.' }),
    firstName: t.string({ description: 'Given name of the first user.' }),
    lastName: t.string({ description: 'Family name of the first user.' }),
    country: t.string({ description: 'ISO 3166-1 alpha-2 country of the company.' }),
  }),
});

const BusinessRegisterPayload = builder
  .objectRef<RegisteredBusiness>('BusinessRegisterPayload')
  .implement({
    description: 'Answer to businessRegister.',
    fields: (t) =>
      shown(t, {
        business: of(Business, 'The new business.'),
        user: of(User, 'Its first user.'),
        membership: of(Membership, "The user's membership, as owner."),
        apiKey: of(IssuedApiKey, 'A sandbox key of the owner, shown only here.'),
      }),
  });

const ProfileInput = builder.inputType('BusinessProfileInput', {
  description: 'Fields to be changed. An absent field stays as it is; null clears it.',
  fields: (t) => ({
    legalName: t.string({ description: 'Legal name.' }),
    registrationNumber: t.string({ description: 'Company registration number.' }),
    country: t.string({ description: 'ISO 3166-1 alpha-2 country of registration.' }),
    address: t.field({ type: PostalAddressInput, description: 'Registered address.' }),
    website: t.string({ description: 'http or https URL.' }),
    industry: t.string({ description: 'Line of business.' }),
    contactPhone: t.string({
      description: 'Telephone number: at least five digits, up to 32 characters.',
    }),
  }),
});

builder.mutationFields((t) => ({
  businessRegister: t.field({
    nullable: true,
    type: BusinessRegisterPayload,
    description: 'Registers a business and issues its first sandbox key. Needs no API key.',
    args: {
      input: t.arg({ type: RegistrationInput, required: true, description: 'The registrant.' }),
    },
    resolve: (_root, { input }, { services, clientAddress, reportLimit }) =>
      registerBusiness(services, input, () =>
        admitRegistration(services, clientAddress, reportLimit),
      ),
  }),
  businessProfileUpdate: t.field({
    nullable: true,
    type: BusinessProfile,
    description:
      'Changes the business profile; once complete it is submitted. An accepted one whose legal name, registration number, country or address changes is submitted again; of a business with a production key, only a production key may change those.',
    args: {
      input: t.arg({ type: ProfileInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) => updateProfile(context.call, input),
  }),
}));
