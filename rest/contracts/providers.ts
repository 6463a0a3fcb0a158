import { z } from 'zod';
import { paidSchemeFields, payerFields } from '../../src/domain/route/fields.ts';
import { answered, byWireName, selectionOf } from './declared.ts';

const paidScheme = z
  .object(byWireName(answered(paidSchemeFields)))
  .meta({ id: 'PaidScheme', description: 'One way in which a provider pays.' });

/** What a GraphQL document selects of whoever can pay. */
export const providerSelection = `${selectionOf(payerFields)} pays { ${selectionOf(paidSchemeFields)} }`;

export const providerList = z.object({
  providers: z.array(
    z
      .object({
        ...byWireName(answered(payerFields)),
        pays: z.array(paidScheme).meta({
          description: 'A payment that none of them reaches is not paid by the provider.',
        }),
      })
      .meta({ id: 'PayoutProvider', description: 'Whoever a route may lead to.' }),
  ),
});
