import {
  accountFields,
  addressFields,
  businessFields,
  currencyField,
  documentFields,
  personFields,
  valueOf,
  type Field,
  type Values,
} from './fields.ts';
import type { AccountForm } from './bank.ts';
import type { CollectionForm } from './operations.ts';

export const stepNames = ['about', 'address', 'bank', 'document', 'send'] as const;
export type StepName = (typeof stepNames)[number];

const stepsOfScope: Readonly<Record<CollectionForm['scope'], readonly StepName[]>> = {
  full_onboarding: ['about', 'address', 'bank', 'send'],
  bank_details: ['bank', 'send'],
  tax_documents: ['document'],
};

/** The steps of a form, in their order. */
export function stepsOf(form: CollectionForm): readonly StepName[] {
  return stepsOfScope[form.scope];
}

/** Which stored part says that a step was given. */
const partOfStep: Readonly<Partial<Record<StepName, string>>> = {
  about: 'identity',
  address: 'address',
  bank: 'bank_account',
};

/** Whether what a step asks for is stored already. */
export function isGiven(form: CollectionForm, step: StepName): boolean {
  const part = partOfStep[step];
  return part !== undefined && form.given.includes(part);
}

/** The first step whose answers are not there yet; the last one when all are. */
export function nextMissing(form: CollectionForm): StepName {
  const steps = stepsOf(form);
  return steps.find((step) => !isGiven(form, step)) ?? 'send';
}

/** The step that follows one that was just given. */
export function stepAfter(form: CollectionForm, step: StepName): StepName {
  const steps = stepsOf(form);
  return steps[steps.indexOf(step) + 1] ?? step;
}

/** The fields of a step; those of an account depend on its country. */
export function fieldsOf(
  form: CollectionForm,
  step: StepName,
  account: AccountForm | null,
): readonly Field[] {
  switch (step) {
    case 'about':
      return form.beneficiaryType === 'person' ? personFields : businessFields;
    case 'address':
      return addressFields;
    case 'bank':
      if (account === null) return [];
      return [...accountFields, ...account.main, currencyField];
    case 'document':
      return documentFields;
    case 'send':
      return [];
  }
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The answers in the API's names; what was left empty is null. */
export function inputOf(fields: readonly Field[], values: Values): Record<string, string | null> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = valueOf(field, values);
      return [camelCase(field.name), value === '' ? null : value];
    }),
  );
}
