import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { fromIso } from '../../screening/lists/dates.ts';
import { distinct } from '../../screening/lists/entry.ts';
import type { Subject } from '../../screening/subject.ts';
import { legalName, type BeneficiaryType } from '../beneficiary/identity.ts';
import { openContact, openIdentity } from '../beneficiary/store.ts';
import { openPersonal } from '../encryption/personal.ts';
import type { TenantHash } from '../encryption/lookup.ts';

/** Whom a list is asked for: what it can have of a payee. The nickname is the business's own and no name of the payee. */
export function subjectOf(call: Call, payee: Beneficiary): Subject {
  const beneficiaryType = payee.beneficiaryType as BeneficiaryType; // held by a CHECK constraint
  const { dateOfBirth, taxId } = openIdentity(call, payee);
  const address: { readonly country?: string } | null = openContact(call, payee).postalAddress;
  const registration = openPersonal(call, 'beneficiary', payee, 'registrationNumber');
  return {
    type: beneficiaryType === 'person' ? 'person' : 'organisation',
    names: distinct([legalName({ ...payee, beneficiaryType })]),
    birth: dateOfBirth === null ? null : fromIso(dateOfBirth),
    countries: distinct([
      payee.countryOfResidence,
      payee.countryOfIncorporation,
      address?.country?.toUpperCase(),
    ]),
    identifiers: distinct([registration, taxId]),
  };
}

/** A subject as it is compared with itself: a decision on a hit counts as long as it is the same. */
export function subjectHash(hash: TenantHash, tenantId: string, subject: Subject): Buffer {
  const { type, names, birth, countries, identifiers } = subject;
  const parts = [type, names, birth?.from, birth?.to, countries.toSorted(), identifiers.toSorted()];
  return hash(tenantId, JSON.stringify(parts));
}
