import type { Role } from '../../src/access/roles.ts';
import type { Environment } from '../../src/access/scope.ts';
import type { ProfileStatus } from '../../src/domain/business/profile.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';

export const EnvironmentEnum = builder.enumType('Environment', {
  description: 'Which of the two tenants of a business: test or real money.',
  values: describedValues<Environment>({
    sandbox: 'Test: no money moves.',
    production: 'Real money.',
  }),
});

export const RoleEnum = builder.enumType('Role', {
  description: 'What a member or an API key may do.',
  values: describedValues<Role>({
    owner: 'Everything.',
    admin: 'Everything but giving and taking the role of an owner.',
    preparer: 'Manages beneficiaries and creates payouts.',
    approver: 'Decides on payouts.',
    developer: 'Manages the webhook endpoint, the business profile and the sandbox balance.',
    viewer: 'Reads.',
  }),
});

export const ProfileStatusEnum = builder.enumType('ProfileStatus', {
  description: 'How complete a business profile is.',
  values: describedValues<ProfileStatus>({
    incomplete: 'A field is missing.',
    submitted: 'All fields are present.',
    accepted: 'An operator accepted the profile.',
  }),
});
