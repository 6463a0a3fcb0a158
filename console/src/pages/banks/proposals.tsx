import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { BankDeskProposalsQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankAccountProposalDeclineDocument,
  bankAccountProposalTakeDocument,
  bankDeskProposalsDocument,
} from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Time } from '../../parts/time.tsx';
import { textFor, texts } from '../../texts/texts.ts';

const words = texts.banks.proposals;

type Proposal = BankDeskProposalsQuery['bankAccountProposals']['edges'][number]['node'];

interface ProposalsProps {
  readonly after: string | undefined;
  onAfter(after: string | undefined): void;
}

interface Asked {
  readonly what: 'take' | 'decline';
  readonly proposal: Proposal;
}

/** What banks say is right about accounts that were paid, until somebody takes or declines it. */
export function Proposals({ after, onAfter }: ProposalsProps) {
  const place = after === undefined ? {} : { after };
  const fresh = useFresh(bankDeskProposalsDocument, forwards(place));
  const mayDecide = useMay('payees:write');
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.bankAccountProposals ?? null}
        place={place}
        onPlace={(to) => onAfter(to.after)}
        versionOf={({ id }) => id}
        empty={<Empty title={words.none} />}
        columns={[
          {
            name: 'account',
            title: words.account,
            cell: ({ beneficiaryId, bankAccountId, code }) => (
              <>
                <Link
                  to="/payees/$id/accounts/$account"
                  params={{ id: beneficiaryId, account: bankAccountId }}
                >
                  <code>{bankAccountId}</code>
                </Link>
                <div className="muted small">{words.code({ code })}</div>
              </>
            ),
          },
          { name: 'correction', title: words.says, cell: (row) => <Correction of={row} /> },
          { name: 'when', title: words.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: 'actions',
            title: texts.operatorBanks.actions,
            cell: (proposal) =>
              mayDecide && (
                <div className="row">
                  <Button
                    kind="primary"
                    aria-label={words.takeOf({ id: proposal.bankAccountId })}
                    onClick={() => setAsked({ what: 'take', proposal })}
                  >
                    {words.take}
                  </Button>
                  <Button
                    aria-label={words.declineOf({ id: proposal.bankAccountId })}
                    onClick={() => setAsked({ what: 'decline', proposal })}
                  >
                    {words.decline}
                  </Button>
                </div>
              ),
          },
        ]}
      />
      <Decide asked={asked} onClose={() => setAsked(null)} onDone={fresh.refresh} />
    </Card>
  );
}

/** The corrected details, each by its name. */
function Correction({ of }: { readonly of: Proposal }) {
  const parts = Object.entries((of.correction ?? {}) as Readonly<Record<string, string | null>>);
  return (
    <div className="reading small">
      {parts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <span className="muted">{textFor(words.parts, name) ?? name}</span>{' '}
              <code>{value}</code>
            </div>
          ),
      )}
    </div>
  );
}

interface DecideProps {
  readonly asked: Asked | null;
  onClose(): void;
  onDone(): void;
}

function Decide({ asked, onClose, onDone }: DecideProps) {
  const take = useAct(bankAccountProposalTakeDocument);
  const decline = useAct(bankAccountProposalDeclineDocument);
  const isTaken = asked?.what === 'take';
  const { busy, fault, forget } = isTaken ? take : decline;
  return (
    <FormDialog
      title={isTaken ? words.take : words.decline}
      action={isTaken ? words.take : words.decline}
      open={asked !== null}
      busy={busy}
      fault={fault}
      onClose={() => {
        forget();
        onClose();
      }}
      onSubmit={async () => {
        const id = asked?.proposal.id ?? '';
        const done = isTaken ? await take.act({ id }) : await decline.act({ id });
        if (done === null) return;
        announce(isTaken ? words.taken : words.declined);
        onClose();
        onDone();
      }}
    >
      <p>{isTaken ? words.takeMeans : words.declineMeans}</p>
    </FormDialog>
  );
}
