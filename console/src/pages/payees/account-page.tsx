import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  accountCorrectDocument,
  accountVerifyDocument,
} from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Metadata } from '../../parts/metadata.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import { countryName } from '../../values/places.ts';
import {
  AccountFields,
  accountOf,
  type AccountOwner,
  type OwnedAccount,
} from './account-fields.tsx';
import { WithOwner } from './owner.tsx';

const payeeWords = texts.payees;
const words = payeeWords.forms;

/** One account: as it is beside what corrects it, and every version that it had, by whom. */
export function AccountPage() {
  const { id, account } = useParams({ from: '/shell/payees/$id/accounts/$account' });
  return (
    <WithOwner id={id} title={payeeWords.account}>
      {(owner, refresh) => <OneAccount owner={owner} accountId={account} onDone={refresh} />}
    </WithOwner>
  );
}

interface OneAccountProps {
  readonly owner: AccountOwner;
  readonly accountId: string;
  onDone(): void;
}

function OneAccount({ owner, accountId, onDone }: OneAccountProps) {
  const account = owner.bankAccounts.find(({ id }) => id === accountId);
  const lead = (
    <Link to="/payees/$id" params={{ id: owner.id }}>
      {owner.displayName}
    </Link>
  );
  if (account === undefined) {
    return (
      <Page title={payeeWords.account} lead={lead}>
        <Empty title={words.unknown} />
      </Page>
    );
  }
  const title = words.correctTitle({
    last4: payeeWords.masked({ last4: account.last4 }),
    name: owner.displayName,
  });
  return (
    <Page title={title} lead={lead}>
      <div className="stack">
        <div className="columns">
          <Now owner={owner} account={account} onDone={onDone} />
          <Correct key={account.versions.length} owner={owner} account={account} onDone={onDone} />
        </div>
        <Versions account={account} />
      </div>
    </Page>
  );
}

interface PartProps {
  readonly owner: AccountOwner;
  readonly account: OwnedAccount;
  onDone(): void;
}

function Now({ owner, account, onDone }: PartProps) {
  const { act, busy, fault } = useAct(accountVerifyDocument);
  const { accountHolderName, last4, bankName, country, currency, accountType } = account;
  const isPending =
    account.status === 'pending_verification' && owner.complianceStatus === 'compliant';
  const verify = async () => {
    if ((await act({ beneficiaryId: owner.id, id: account.id })) === null) return;
    announce(words.wasVerified);
    onDone();
  };
  return (
    <Card title={words.now}>
      <div className="stack">
        <Facts
          facts={[
            [payeeWords.account, payeeWords.masked({ last4 })],
            [words.holderShort, accountHolderName],
            [words.country, countryName(country)],
            [words.currency, currency],
            [words.bank, bankName],
            [words.accountType, accountType && words.types[accountType]],
            [
              payeeWords.state,
              <StateMark key="state" tone={account.payoutUsable ? 'good' : 'wait'}>
                {account.payoutUsable ? payeeWords.usable : payeeWords.unusable}
              </StateMark>,
            ],
            [payeeWords.reason, account.unusableReason?.message],
            [texts.payout.facts.reference, account.externalRef],
            [
              texts.payout.facts.metadata,
              account.metadata === null ? null : (
                <Metadata key="metadata" metadata={account.metadata} />
              ),
            ],
          ]}
        />
        <FaultNote fault={fault} />
        {isPending && (
          <div className="row">
            <Button busy={busy} onClick={() => void verify()}>
              {words.verify}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

function Correct({ owner, account, onDone }: PartProps) {
  const { act, busy, fault } = useAct(accountCorrectDocument);
  const [form, setForm] = useState(0);
  return (
    <FormPage
      key={form}
      title={words.correct}
      action={words.save}
      busy={busy}
      fault={fault}
      onSubmit={async (given) => {
        const variables = { beneficiaryId: owner.id, id: account.id, input: accountOf(given) };
        if ((await act(variables)) === null) return;
        announce(words.wasSaved);
        // The number is not left standing in the field.
        setForm(form + 1);
        onDone();
      }}
    >
      <p className="muted">{words.correctLead}</p>
      <AccountFields owner={owner} account={account} />
    </FormPage>
  );
}

function Versions({ account }: { readonly account: OwnedAccount }) {
  const rows = account.versions.toReversed();
  const [latest] = rows;
  return (
    <Card title={words.versions} flush>
      <Table
        caption={words.versions}
        rows={rows}
        rowId={({ version }) => String(version)}
        columns={[
          {
            name: 'version',
            title: words.version,
            cell: ({ version }) => (
              <>
                {version}
                {version === latest?.version && <span className="muted"> {words.current}</span>}
              </>
            ),
          },
          {
            name: 'account',
            title: payeeWords.account,
            cell: ({ maskedAccount, bankName }) =>
              [maskedAccount, bankName].filter(Boolean).join(', '),
          },
          {
            name: 'holder',
            title: words.holderShort,
            cell: ({ accountHolderName }) => accountHolderName,
          },
          {
            name: 'currency',
            title: payeeWords.currency,
            cell: ({ currency, country }) => `${currency} · ${country}`,
          },
          {
            name: 'by',
            title: payeeWords.who,
            cell: ({ author }) => (author === null ? '–' : authorName(author)),
          },
          { name: 'since', title: words.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Card>
  );
}
