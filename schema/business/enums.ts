import { roles } from '../../src/access/roles.ts';
import { environments } from '../../src/access/scope.ts';
import { profileStatuses } from '../../src/domain/business/profile.ts';
import { builder } from '../builder.ts';

export const EnvironmentEnum = builder.enumType('Environment', {
  description: 'Which of the two tenants of a business: test or real money.',
  values: environments,
});

export const RoleEnum = builder.enumType('Role', {
  description: 'What a member or a key may do (decisions 2).',
  values: roles,
});

export const ProfileStatusEnum = builder.enumType('ProfileStatus', {
  description:
    'incomplete while a field is missing, submitted when all are there, accepted by an operator.',
  values: profileStatuses,
});
