import type { ReactNode } from 'react';
import { accountOwnerDocument } from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import type { AccountOwner } from './account-fields.tsx';

const words = texts.payees;

interface WithOwnerProps {
  readonly id: string;
  readonly title: string;
  /** The page, of whoever may change the payee. */
  children(owner: AccountOwner, refresh: () => void): ReactNode;
}

/** A page about an account of a payee: it is on its way, there is no such payee, or it may not be changed. */
export function WithOwner({ id, title, children }: WithOwnerProps) {
  // It is not read anew under who fills in the form.
  const fresh = useFresh(accountOwnerDocument, { id }, { everyMs: null });
  const mayWrite = useMay('payees:write');
  const owner = fresh.data?.beneficiary ?? null;
  if (owner !== null && mayWrite && owner.archivedAt === null) {
    return children(owner, fresh.refresh);
  }
  return (
    <Page title={title}>
      {fresh.data === null ? (
        <Pending of={fresh} />
      ) : owner === null ? (
        <Empty title={words.unknown}>{words.unknownHint}</Empty>
      ) : (
        <Note>{mayWrite ? words.archived : words.mayNot}</Note>
      )}
    </Page>
  );
}
