import type { Role } from '../../src/access/roles.ts';
import type { Environment } from '../../src/access/scope.ts';
import type { ProfileStatus } from '../../src/domain/business/profile.ts';
import { describedEnum } from '../common/described-enum.ts';

export const EnvironmentEnum = describedEnum<Environment>(
  'Environment',
  'Which of the two tenants of a business: test or real money.',
  {
    sandbox: 'Test: no money moves.',
    production: 'Real money.',
  },
);

export const RoleEnum = describedEnum<Role>('Role', 'What a member or an API key may do.', {
  owner: 'Everything.',
  admin: 'Everything but giving and taking the role of an owner.',
  preparer: 'Manages beneficiaries and creates payouts.',
  approver: 'Decides on payouts.',
  developer: 'Manages the webhook endpoint, the business profile and the sandbox balance.',
  viewer: 'Reads.',
});

export const ProfileStatusEnum = describedEnum<ProfileStatus>(
  'ProfileStatus',
  'How complete a business profile is.',
  {
    incomplete: 'A field is missing.',
    submitted: 'All fields are present.',
    accepted: 'An operator accepted the profile.',
  },
);
