import type { CollectionForm } from './operations.ts';
import type { StepName } from './steps.ts';
import type { Values } from './fields.ts';

/** Leaves out what is not known, so that a field stays as it would be. */
function known(values: Readonly<Record<string, string | null | undefined>>): Values {
  const entries = Object.entries(values).filter(([, value]) => (value ?? '') !== '');
  return Object.fromEntries(entries) as Values;
}

/**
 * What a step is filled in with when it is opened: what was saved and may be shown, else what follows
 * from the steps before. The country is asked once: an address and an account are mostly in it.
 */
export function prefilled({ review, beneficiaryType }: CollectionForm, step: StepName): Values {
  const { identity, address, bankAccount } = review;
  const country = identity?.country;
  switch (step) {
    case 'about':
      return known({
        first_name: identity?.firstName,
        last_name: identity?.lastName,
        business_name: identity?.businessName,
        [beneficiaryType === 'person' ? 'country_of_residence' : 'country_of_incorporation']:
          country,
      });
    case 'address':
      return known({ city: address?.city, country: address?.country ?? country });
    case 'bank': {
      const parts = [identity?.firstName, identity?.lastName].filter((part) => (part ?? '') !== '');
      const name = identity?.businessName ?? parts.join(' ');
      return known({
        account_holder_name: bankAccount?.accountHolderName ?? name,
        country: bankAccount?.country ?? address?.country ?? country,
        currency: bankAccount?.currency,
      });
    }
    case 'document':
    case 'send':
      return {};
  }
}
