import { useState, type ReactNode } from 'react';
import type { AccountProviderPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { Choice } from '../choice.tsx';
import type { FormValues } from '../form-dialog.tsx';
import { FormPage } from '../form-page.tsx';
import { TextField } from '../text-field.tsx';
import { AccountFields, settingsOf } from './account-fields.tsx';
import { adapterName } from './names.ts';

const words = texts.accounts;

/** A new account as the form describes it. */
export interface AccountDraft {
  readonly name: string;
  readonly adapter: string;
  readonly settings: { readonly name: string; readonly value: string }[];
}

interface ConnectFormProps {
  readonly providers: readonly AccountProviderPartsFragment[];
  readonly busy: boolean;
  readonly fault: Fault | null;
  /** Further fields of whoever connects. */
  readonly children?: ReactNode;
  onSubmit(draft: AccountDraft, given: FormValues): Promise<void>;
}

/** Describes an account at one of the providers at which a business may have one. */
export function ConnectForm({ providers, busy, fault, children, onSubmit }: ConnectFormProps) {
  const [adapter, setAdapter] = useState(providers[0]?.adapter ?? '');
  const fields = providers.find((one) => one.adapter === adapter)?.fields ?? [];
  return (
    <FormPage
      action={words.connect.action}
      busy={busy}
      fault={fault}
      onSubmit={(given) =>
        onSubmit({ name: given('name'), adapter, settings: settingsOf(given, fields) }, given)
      }
    >
      <Choice
        label={words.provider}
        options={Object.fromEntries(
          providers.map((one) => [one.adapter, adapterName(one.adapter)]),
        )}
        value={adapter}
        onChange={(chosen) => setAdapter(chosen ?? adapter)}
      />
      <TextField
        label={words.name}
        name="name"
        hint={texts.banks.connect.nameHint}
        maxLength={100}
        required
      />
      <AccountFields key={adapter} fields={fields} refused={fault} />
      {children}
    </FormPage>
  );
}
