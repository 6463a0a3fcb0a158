import { corporateDomain } from '../../access/free-mail.ts';
import { makeKey, type IssuedKey } from '../../access/key.ts';
import { emailKey } from '../../values/fields.ts';
import { newId } from '../../values/ids.ts';
import type { ParsedRegistration } from './input.ts';
import type { NewRegistration } from './register-store.ts';

/** The rows of a registration, and its key, which is stored as a hash alone. */
export function newRegistration(input: ParsedRegistration): {
  readonly entry: NewRegistration;
  readonly apiKey: IssuedKey;
} {
  const keyId = newId('apiKey');
  const { key, hash } = makeKey('sandbox', keyId);
  const entry: NewRegistration = {
    userId: newId('user'),
    email: input.email,
    emailKey: emailKey(input.email),
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    businessId: newId('business'),
    companyName: input.companyName,
    emailDomain: corporateDomain(input.email),
    country: input.country ?? null,
    sandboxTenantId: newId('tenant'),
    productionTenantId: newId('tenant'),
    membershipId: newId('membership'),
    keyId,
    secretHash: hash,
  };
  return { entry, apiKey: { id: keyId, environment: 'sandbox', role: 'owner', key } };
}
