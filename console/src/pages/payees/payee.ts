import type { PayeeQuery } from '../../../../generated/console-types/graphql.ts';

/** A payee as its page shows it. */
export type Payee = NonNullable<PayeeQuery['beneficiary']>;
