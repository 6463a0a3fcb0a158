import { count } from './schemas.ts';
import { setting } from './setting.ts';

/** How often a caller may ask; what it may have under way at a time is in `admission.ts`. */
export const rateLimitSettings = {
  RATE_LIMIT_THIN: setting({
    schema: count,
    fallback: '120',
    description:
      'Requests a minute of a sandbox tenant whose business profile is incomplete, over all API processes. Bulk calls and costly GraphQL operations count as more than one.',
  }),
  RATE_LIMIT_GENEROUS: setting({
    schema: count,
    fallback: '6000',
    description:
      'Requests a minute of every other tenant (profile submitted, or production), over all API processes.',
  }),
  REGISTRATION_RATE_LIMIT: setting({
    schema: count,
    fallback: '5',
    description: 'Registrations an hour from one client address (IPv6: from one /64).',
  }),
  FAILED_AUTHENTICATION_LIMIT: setting({
    schema: count,
    fallback: '60',
    description:
      'Invalid API keys a minute from one client address at one API process. Beyond it, that process accepts from the address only keys that worked there recently.',
  }),
  KEYLESS_RATE_LIMIT: setting({
    schema: count,
    fallback: '60',
    description:
      'GraphQL operations a minute without a valid API key from one client address (IPv6: from one /64) at one API process.',
  }),
  PROVIDER_EVENT_FAILURE_LIMIT: setting({
    schema: count,
    fallback: '30',
    description:
      "Events with a wrong signature, or whose body does not arrive, a minute from one client address (IPv6: from one /64) at one API process. Beyond it, that process reads no event's body from the address until the minute is over.",
  }),
  COLLECTION_LINK_RATE_LIMIT: setting({
    schema: count,
    fallback: '60',
    description:
      'Requests a minute (to open, save or submit the form) on one collection link, over all API processes.',
  }),
  COLLECTION_ADDRESS_RATE_LIMIT: setting({
    schema: count,
    fallback: '300',
    description:
      'Requests a minute on all collection links together from one client address (IPv6: from one /64).',
  }),
  COLLECTION_MAILS_PER_DAY_THIN: setting({
    schema: count,
    fallback: '100',
    description:
      'Links (to collection forms and for members) that a sandbox tenant may have mailed in a day until an operator has accepted the business profile.',
  }),
  COLLECTION_MAILS_PER_DAY: setting({
    schema: count,
    fallback: '20000',
    description: 'Links that every other tenant may have mailed in a day.',
  }),
  MAILS_PER_MAILBOX_HOUR: setting({
    schema: count,
    fallback: '10',
    description:
      'Mails to one mailbox in an hour that callers of all tenants together may cause. Plus-tags and case make no other mailbox, nor do dots at Gmail. Tenants without an accepted profile share half of it. Mails that prove an address (to who registers, and links to sign in before) have half as many of their own. Other links to sign in have a bound of their own (SIGN_IN_MAILS_PER_HOUR).',
  }),
  MAILS_PER_MAILBOX_DAY: setting({
    schema: count,
    fallback: '40',
    description: 'The same in a day.',
  }),
} as const;
