import { AddressCount } from './address-count.ts';

/**
 * Failed authentications of each client address in the last minute: credentials that were shown and
 * are not valid. A key has 256 random bits and cannot be guessed; the limit saves the
 * database the read that each new key costs.
 */
export class AuthenticationFailures extends AddressCount {
  constructor(quota: number, now?: () => number) {
    super('authentication', quota, now);
  }
}
