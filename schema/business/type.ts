import { bool, id, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { PostalAddress } from '../common/postal-address.ts';
import { ProfileStatusEnum, RoleEnum } from './enums.ts';

export const Business = builder.prismaNode('Business', {
  description: 'A company that pays, with one tenant in each environment.',
  id: { resolve: (business) => business.id },
  findUnique: (id) => ({ id }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      companyName: text('Name given at registration.'),
      emailDomain: text.orNull(
        'Corporate e-mail domain that the business claimed; null for free mail.',
      ),
      profileStatus: stored(ProfileStatusEnum, 'How complete the business profile is.'),
      createdAt: time('Time of registration.'),
      registrationProvenAt: time.orNull(
        'When the mailbox of the registration was proven. Null: its address and domain can be taken over by who proves them, and no operator can accept the profile.',
      ),
    }),
});

export const BusinessProfile = builder.prismaObject('Business', {
  variant: 'BusinessProfile',
  description: 'What a business says about itself. Once it is complete it counts as submitted.',
  fields: (t) =>
    shown(t, {
      legalName: text.orNull('Legal name.'),
      registrationNumber: text.orNull('Company registration number.'),
      country: text.orNull('ISO 3166-1 alpha-2 country of registration.'),
      address: t.field({
        type: PostalAddress,
        nullable: true,
        description: 'Registered address.',
        // The profile command is the only writer of this column.
        resolve: (business) =>
          business.address as unknown as typeof PostalAddress.$inferType | null,
      }),
      website: text.orNull('http or https URL.'),
      industry: text.orNull('Line of business.'),
      contactPhone: text.orNull('Telephone number of the contact.'),
      profileStatus: stored(ProfileStatusEnum, 'How complete the profile is.'),
      profileSubmittedAt: time.orNull(
        'When the profile became complete, or got another legal identity since; null while it is not.',
      ),
      profileDeclinedAt: time.orNull(
        'When the platform last declined the profile; null from the next one that is submitted.',
      ),
      profileDeclineReason: text.orNull('What the platform says is missing or wrong.'),
      distinctApprover: bool(
        'Whether a payout must be approved by another person than its creator. A payout that was created while this is on stays bound to it.',
      ),
    }),
});

export const User = builder.prismaObject('AppUser', {
  variant: 'User',
  description: 'A person who acts for one or more businesses.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the user.'),
      email: text('E-mail address. It is proven when registrationProvenAt of the business is set.'),
      firstName: text.orNull('Given name.'),
      lastName: text.orNull('Family name.'),
      createdAt: time('Time of creation.'),
    }),
});

export const Membership = builder.prismaObject('Membership', {
  description: "A user's place in a business.",
  fields: (t) =>
    shown(t, {
      id: id('Id of the membership.'),
      businessId: id('The business.'),
      userId: id('The user.'),
      role: stored(RoleEnum, 'What the member may do.'),
      createdAt: time('Time of creation.'),
    }),
});
