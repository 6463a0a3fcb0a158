import { person } from '../../support/beneficiaries.ts';
import * as commands from './commands.ts';
import { beneficiary } from './place.ts';
import type { Scenario } from './scenarios.ts';

/** References of a business's own that are taken. */
export const referenceScenarios: readonly Scenario[] = [
  {
    code: 'EXTERNAL_REF_ALREADY_EXISTS',
    title: 'a reference that another payee has',
    make: async (place) => {
      await beneficiary(place, person({ external_ref: 'vendor-1' }));
      return commands.createBeneficiary(person({ external_ref: 'vendor-1' }));
    },
  },
];
