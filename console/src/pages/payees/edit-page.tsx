import { Link, useNavigate, useParams } from '@tanstack/react-router';
import {
  payeeChangeDocument,
  payeeEditedDocument,
} from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { IdentityFields, identityOf, type EditedPayee } from './identity-fields.tsx';

const words = texts.payees;

/** Changes who a payee is. */
export function EditPayeePage() {
  const { id } = useParams({ from: '/shell/payees/$id/edit' });
  // It is not read anew under who fills in the form.
  const fresh = useFresh(payeeEditedDocument, { id }, { everyMs: null });
  const mayWrite = useMay('payees:write');
  const payee = fresh.data?.beneficiary ?? null;
  if (payee === null) {
    return (
      <Page title={words.edit}>
        {fresh.data === null ? (
          <Pending of={fresh} />
        ) : (
          <Empty title={words.unknown}>{words.unknownHint}</Empty>
        )}
      </Page>
    );
  }
  const isShut = !mayWrite || payee.archivedAt !== null;
  return (
    <Page title={words.editTitle({ name: payee.displayName })} lead={words.editLead}>
      {isShut ? (
        <Note>{mayWrite ? words.archived : words.mayNot}</Note>
      ) : (
        <EditForm payee={payee} />
      )}
    </Page>
  );
}

function EditForm({ payee }: { readonly payee: EditedPayee }) {
  const navigate = useNavigate();
  const { act, busy, fault } = useAct(payeeChangeDocument);
  const { id, beneficiaryType: type } = payee;
  return (
    <FormPage
      action={words.save}
      busy={busy}
      fault={fault}
      aside={
        <Link className="button" to="/payees/$id" params={{ id }}>
          {texts.action.cancel}
        </Link>
      }
      onSubmit={async (given) => {
        if ((await act({ id, input: identityOf(type, given) })) === null) return;
        announce(words.wasSaved);
        void navigate({ to: '/payees/$id', params: { id } });
      }}
    >
      <IdentityFields type={type} payee={payee} />
    </FormPage>
  );
}
