import { corridorRequirements } from '../../src/domain/bank-account/corridors.ts';
import { countryCodes } from '../../src/reference/countries.ts';
import { builder } from '../builder.ts';
import { Corridor } from '../reference/queries.ts';
import { CollectionForm } from './form.ts';

const corridors = countryCodes.map(corridorRequirements);

builder.objectField(CollectionForm, 'corridors', (t) =>
  t.field({
    type: [Corridor],
    description:
      'What a bank account needs in each country, to draw the form with. The same as Query.corridor, without an API key.',
    resolve: () => corridors,
  }),
);
