import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sandboxBankConnectDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.banks.connect;

type Currency = keyof typeof words.currencies;

/** Connects a sandbox to an account at the bank of the sandbox; that of production is connected by operators. */
export function ConnectBankPage() {
  const navigate = useNavigate();
  const { viewer } = useSession();
  const mayConnect = useMay('banks:write') && viewer.environment === 'sandbox';
  const { act, busy, fault } = useAct(sandboxBankConnectDocument);
  const [currency, setCurrency] = useState<Currency>('EUR');
  if (!mayConnect) {
    return (
      <Page title={words.title}>
        <Note>{texts.banks.connection.byOperators}</Note>
      </Page>
    );
  }
  return (
    <Page title={words.title} lead={words.lead}>
      <FormPage
        action={words.action}
        busy={busy}
        fault={fault}
        onSubmit={async (given) => {
          const input = { name: given('name'), debtorName: given('debtorName'), currency };
          const id = (await act({ input }))?.sandboxBankConnect?.id;
          if (id === undefined) return;
          announce(words.done);
          void navigate({ to: '/banks/connections/$id', params: { id }, search: {} });
        }}
      >
        <TextField label={words.name} name="name" hint={words.nameHint} maxLength={100} required />
        <TextField
          label={texts.banks.connection.debtor}
          name="debtorName"
          hint={words.debtorHint}
          maxLength={70}
          required
        />
        <Choice
          label={words.currency}
          options={words.currencies}
          value={currency}
          hint={words.currencyHint}
          onChange={(chosen) => setCurrency(chosen ?? 'EUR')}
        />
      </FormPage>
    </Page>
  );
}
