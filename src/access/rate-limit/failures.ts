import { AddressCount } from './address-count.ts';

/**
 * Failed authentications of each client address in the last minute: credentials that were shown and
 * are not valid. Guessing a key is hopeless (256 random bits); what the limit saves is the read of
 * the database that each new key costs.
 */
export class AuthenticationFailures extends AddressCount {
  constructor(quota: number, now?: () => number) {
    super('authentication', quota, now);
  }
}
