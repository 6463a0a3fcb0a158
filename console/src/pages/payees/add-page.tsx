import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { payeeAddDocument } from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { IdentityFields, identityOf, type EditedPayee } from './identity-fields.tsx';
import { Steps } from './steps.tsx';

const words = texts.payees;

/** Adds a payee by hand, and goes on to their account; on the way to a payout where that was the wish. */
export function AddPayeePage() {
  const { aim } = useSearch({ from: '/shell/payees/new' });
  const navigate = useNavigate();
  const mayWrite = useMay('payees:write');
  const { act, busy, fault } = useAct(payeeAddDocument);
  const [type, setType] = useState<EditedPayee['beneficiaryType']>('person');
  const [isKnown, setKnown] = useState(false);
  const title = aim === 'pay' ? words.someone : words.add;
  if (!mayWrite) {
    return (
      <Page title={title}>
        <Note>{words.mayNot}</Note>
      </Page>
    );
  }
  return (
    <Page title={title} lead={words.addLead}>
      <div className="stack">
        {aim === 'pay' && <Steps at="payee" />}
        <FormPage
          action={words.next}
          busy={busy}
          fault={fault}
          onSubmit={async (given) => {
            const attested = isKnown ? { acknowledged: true } : { identityPending: true };
            const input = { beneficiaryType: type, ...identityOf(type, given), ...attested };
            const id = (await act({ input }))?.beneficiaryCreate?.id;
            if (id === undefined) return;
            announce(words.wasAdded);
            void navigate({
              to: '/payees/$id/accounts/new',
              params: { id },
              search: aim === undefined ? {} : { aim },
            });
          }}
        >
          <Choice
            label={words.type}
            options={words.types}
            value={type}
            onChange={(chosen) => setType(chosen ?? 'person')}
          />
          <IdentityFields key={type} type={type} />
          <label className="check">
            <input
              type="checkbox"
              checked={isKnown}
              onChange={({ target }) => setKnown(target.checked)}
            />
            <span>
              {words.know} <span className="muted">{words.knowHint}</span>
            </span>
          </label>
        </FormPage>
      </div>
    </Page>
  );
}
