import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import type { Payee } from '../../providers/port.ts';
import { openContact, openIdentity } from './store.ts';

function withoutNulls(facts: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

/** A beneficiary as a provider may see it. */
export function payeeOf(call: Call, beneficiary: Beneficiary): Payee {
  const { dateOfBirth, taxId } = openIdentity(call, beneficiary);
  const { email, phone, postalAddress } = openContact(call, beneficiary);
  const facts = {
    type: beneficiary.beneficiaryType,
    firstName: beneficiary.firstName,
    lastName: beneficiary.lastName,
    businessName: beneficiary.businessName,
    email,
    phone,
    country: beneficiary.countryOfResidence ?? beneficiary.countryOfIncorporation,
    dateOfBirth,
    taxNumber: taxId,
    address: postalAddress === null ? null : withoutNulls(postalAddress),
  };
  // The columns' constraints and the commands that write them hold the shape.
  return withoutNulls(facts) as unknown as Payee;
}
