import type { PayeeEditedQuery } from '../../../../generated/console-types/graphql.ts';
import { CodeField } from '../../parts/code-field.tsx';
import type { FormValues } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.payees;

export type EditedPayee = NonNullable<PayeeEditedQuery['beneficiary']>;

interface IdentityFieldsProps {
  readonly type: EditedPayee['beneficiaryType'];
  /** What is on record; absent for a payee that is added. */
  readonly payee?: EditedPayee;
}

/** Who a payee is. Nothing but the name and the address is needed before it is acknowledged. */
export function IdentityFields({ type, payee }: IdentityFieldsProps) {
  const isPerson = type === 'person';
  const country = isPerson ? payee?.countryOfResidence : payee?.countryOfIncorporation;
  return (
    <>
      {isPerson ? (
        <div className="columns">
          <Text name="firstName" label={words.firstName} value={payee?.firstName} required />
          <Text name="lastName" label={words.lastName} value={payee?.lastName} required />
        </div>
      ) : (
        <Text name="businessName" label={words.businessName} value={payee?.businessName} required />
      )}
      <div className="columns">
        <Text name="email" label={words.email} value={payee?.email} type="email" required />
        <Text name="phone" label={words.phoneOptional} value={payee?.phone} type="tel" />
      </div>
      <div className="columns">
        <CodeField
          of="country"
          name="country"
          label={isPerson ? words.residence : words.incorporation}
          none={words.chooseCountry}
          value={country ?? undefined}
        />
        {isPerson ? (
          <Text name="dateOfBirth" label={words.birth} value={payee?.dateOfBirth} type="date" />
        ) : (
          <Text
            name="registrationNumber"
            label={words.registration}
            value={payee?.registrationNumber}
          />
        )}
      </div>
      <div className="columns">
        <Text
          name="taxId"
          label={words.taxId}
          {...(payee === undefined ? {} : { hint: words.keepsSecret })}
        />
        <Text name="nickname" label={words.nickname} value={payee?.nickname} />
      </div>
      <Text name="externalRef" label={words.reference} value={payee?.externalRef} />
      <AddressFields address={payee?.postalAddress ?? null} />
    </>
  );
}

/** It is folded where there is none: few payments need it. */
function AddressFields({ address }: { readonly address: EditedPayee['postalAddress'] }) {
  return (
    <details className="fold" open={address !== null}>
      <summary>{words.addressOptional}</summary>
      <div className="stack">
        <Text name="line1" label={words.line1} value={address?.line1} />
        <Text name="line2" label={words.line2} value={address?.line2} />
        <div className="columns">
          <Text name="postalCode" label={words.postalCode} value={address?.postalCode} />
          <Text name="city" label={words.city} value={address?.city} />
        </div>
        <div className="columns">
          <Text name="state" label={words.region} value={address?.state} />
          <CodeField
            of="country"
            name="addressCountry"
            label={words.country}
            none={words.chooseCountry}
            value={address?.country ?? undefined}
          />
        </div>
      </div>
    </details>
  );
}

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | null | undefined;
  readonly hint?: string;
  readonly type?: string;
  readonly required?: boolean;
}

const Text = ({ value, ...field }: TextProps) => (
  <TextField {...field} defaultValue={value ?? ''} autoComplete="off" />
);

const orNull = (text: string): string | null => (text === '' ? null : text);

/** What the fields hold, as the service takes it. Null is what is empty; a tax number that is empty stays as it is. */
export function identityOf(type: EditedPayee['beneficiaryType'], given: FormValues) {
  const country = orNull(given('country'));
  const address = {
    line1: given('line1'),
    line2: orNull(given('line2')),
    city: given('city'),
    state: orNull(given('state')),
    postalCode: orNull(given('postalCode')),
    country: given('addressCountry'),
  };
  const hasAddress = Object.values(address).some((part) => part !== null && part !== '');
  const taxId = given('taxId');
  return {
    email: given('email'),
    phone: orNull(given('phone')),
    nickname: orNull(given('nickname')),
    externalRef: orNull(given('externalRef')),
    postalAddress: hasAddress ? address : null,
    ...(taxId === '' ? {} : { taxId }),
    ...(type === 'person'
      ? {
          firstName: given('firstName'),
          lastName: given('lastName'),
          countryOfResidence: country,
          dateOfBirth: orNull(given('dateOfBirth')),
        }
      : {
          businessName: given('businessName'),
          countryOfIncorporation: country,
          registrationNumber: orNull(given('registrationNumber')),
        }),
  };
}
