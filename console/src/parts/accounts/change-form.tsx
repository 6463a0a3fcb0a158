import { useState, type ReactNode } from 'react';
import type {
  AccountProviderPartsFragment,
  ProviderAccountPartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { Choice } from '../choice.tsx';
import type { FormValues } from '../form-dialog.tsx';
import { FormPage } from '../form-page.tsx';
import { TextField } from '../text-field.tsx';
import { AccountFields, settingsOf } from './account-fields.tsx';

const words = texts.accounts;
const common = texts.banks.connection;

/** What a change names: what is absent stays. */
export interface AccountChange {
  readonly connectionId: string;
  readonly version: number;
  readonly name: string;
  readonly status: ProviderAccountPartsFragment['status'];
  readonly settings?: { readonly name: string; readonly value: string }[];
}

interface ChangeFormProps {
  readonly account: ProviderAccountPartsFragment;
  readonly providers: readonly AccountProviderPartsFragment[];
  readonly busy: boolean;
  readonly fault: Fault | null;
  /** Further fields of whoever changes it. */
  readonly children?: ReactNode;
  onSubmit(change: AccountChange, given: FormValues): Promise<void>;
}

/** Changes, pauses or closes an account at a provider. */
export function ChangeForm(props: ChangeFormProps) {
  const { account, providers, busy, fault, children, onSubmit } = props;
  const [status, setStatus] = useState(account.status);
  const fields = providers.find(({ adapter }) => adapter === account.adapter)?.fields ?? [];
  return (
    <FormPage
      title={common.change}
      action={texts.action.save}
      busy={busy}
      fault={fault}
      onSubmit={(given) => {
        const settings = settingsOf(given, fields, account);
        const { id: connectionId, version } = account;
        const change = { connectionId, version, name: given('name'), status };
        return onSubmit(settings.length === 0 ? change : { ...change, settings }, given);
      }}
    >
      <Choice
        label={common.state}
        options={common.states}
        value={status}
        hint={words.statesMean[status]}
        onChange={(chosen) => setStatus(chosen ?? account.status)}
      />
      <TextField
        label={words.name}
        name="name"
        maxLength={100}
        required
        defaultValue={account.name}
      />
      <AccountFields fields={fields} of={account} refused={fault} />
      {children}
    </FormPage>
  );
}
