import type {
  AccountProviderPartsFragment,
  ProviderAccountPartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { textFor, texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import type { FormValues } from '../form-dialog.tsx';
import { TextField } from '../text-field.tsx';
import { fieldName } from './names.ts';

const words = texts.accounts;

type AccountField = AccountProviderPartsFragment['fields'][number];

interface AccountFieldsProps {
  readonly fields: readonly AccountField[];
  /** What is there; absent for a new account. */
  readonly of?: ProviderAccountPartsFragment;
  /** Why the latest form was refused. */
  readonly refused: Fault | null;
}

/** What a provider needs to know of an account. A secret that is stored is never shown; an empty field leaves it. */
export const AccountFields = ({ fields, of, refused }: AccountFieldsProps) => (
  <>
    {fields.map(({ name, description, required, secret }) => (
      <TextField
        key={name}
        label={fieldName(name)}
        name={`setting_${name}`}
        type={secret ? 'password' : 'text'}
        autoComplete={secret ? 'new-password' : 'off'}
        spellCheck={false}
        maxLength={4_000}
        required={required && !(secret && of !== undefined)}
        defaultValue={of?.settings.find((setting) => setting.name === name)?.value}
        fault={refused?.details.find(({ field }) => field === `settings.${name}`)?.message}
        hint={[
          textFor(words.hints, name) ?? description,
          ...(required ? [] : [words.optional]),
          ...(secret ? [of === undefined ? words.secret : words.keep] : []),
        ].join(' ')}
      />
    ))}
  </>
);

/** The settings of the form that differ from those that are there; an empty one that is shown takes its value away. */
export function settingsOf(
  given: FormValues,
  fields: readonly AccountField[],
  of?: ProviderAccountPartsFragment,
) {
  const before = new Map(of?.settings.map(({ name, value }) => [name, value]));
  return fields
    .map(({ name }) => ({ name, value: given(`setting_${name}`) }))
    .filter(({ name, value }) => value !== (before.get(name) ?? ''));
}
