import type { Role } from '../../src/access/roles.ts';
import type { ProfileStatus } from '../../src/domain/business/profile.ts';
import { builder } from '../builder.ts';
import { PostalAddress } from '../common/postal-address.ts';
import { ProfileStatusEnum, RoleEnum } from './enums.ts';

export const Business = builder.prismaNode('Business', {
  description: 'A company that pays, with one tenant in each environment.',
  id: { resolve: (business) => business.id },
  findUnique: (id) => ({ id }),
  nullable: true,
  fields: (t) => ({
    companyName: t.exposeString('companyName', { description: 'Name given at registration.' }),
    emailDomain: t.exposeString('emailDomain', {
      nullable: true,
      description: 'Corporate e-mail domain that the business claimed; null for free mail.',
    }),
    profileStatus: t.field({
      type: ProfileStatusEnum,
      description: 'How complete the business profile is.',
      // The column's CHECK constraint holds these values.
      resolve: (business) => business.profileStatus as ProfileStatus,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of registration.' }),
    registrationProvenAt: t.expose('registrationProvenAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the mailbox of the registration was proven. Null: its address and domain can be taken over by who proves them, and no operator can accept the profile.',
    }),
  }),
});

export const BusinessProfile = builder.prismaObject('Business', {
  variant: 'BusinessProfile',
  description: 'What a business says about itself. Once it is complete it counts as submitted.',
  fields: (t) => ({
    legalName: t.exposeString('legalName', { nullable: true, description: 'Legal name.' }),
    registrationNumber: t.exposeString('registrationNumber', {
      nullable: true,
      description: 'Company registration number.',
    }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'ISO 3166-1 alpha-2 country of registration.',
    }),
    address: t.field({
      type: PostalAddress,
      nullable: true,
      description: 'Registered address.',
      // The profile command is the only writer of this column.
      resolve: (business) => business.address as unknown as typeof PostalAddress.$inferType | null,
    }),
    website: t.exposeString('website', { nullable: true, description: 'http or https URL.' }),
    industry: t.exposeString('industry', { nullable: true, description: 'Line of business.' }),
    contactPhone: t.exposeString('contactPhone', {
      nullable: true,
      description: 'Telephone number of the contact.',
    }),
    profileStatus: t.field({
      type: ProfileStatusEnum,
      description: 'How complete the profile is.',
      resolve: (business) => business.profileStatus as ProfileStatus,
    }),
    profileSubmittedAt: t.expose('profileSubmittedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the profile became complete, or got another legal identity since; null while it is not.',
    }),
    distinctApprover: t.exposeBoolean('distinctApprover', {
      description:
        'Whether a payout must be approved by another person than its creator. A payout that was created while this is on stays bound to it.',
    }),
  }),
});

export const User = builder.prismaObject('AppUser', {
  variant: 'User',
  description: 'A person who acts for one or more businesses.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user.' }),
    email: t.exposeString('email', {
      description: 'E-mail address. It is proven when registrationProvenAt of the business is set.',
    }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'Given name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'Family name.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
  }),
});

export const Membership = builder.prismaObject('Membership', {
  description: "A user's place in a business.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the membership.' }),
    businessId: t.exposeID('businessId', { description: 'The business.' }),
    userId: t.exposeID('userId', { description: 'The user.' }),
    role: t.field({
      type: RoleEnum,
      description: 'What the member may do.',
      resolve: (membership) => membership.role as Role,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
  }),
});
