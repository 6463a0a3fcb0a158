import { useState } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import type { ProviderCheckPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { FaultNote } from '../note.tsx';
import { StateMark } from '../state.tsx';
import { Table } from '../table.tsx';

const words = texts.accounts.check;
const outcomes = texts.banks.checks.outcomes;

type Checks = readonly ProviderCheckPartsFragment[];

interface Looked {
  readonly checks: Checks | null;
  readonly fault: Fault | null;
}

interface AccountChecksProps {
  /** Has the service ask the provider. */
  ask(client: Client): PromiseLike<{
    readonly checks: Checks | null | undefined;
    readonly error: CombinedError | undefined;
  }>;
}

/** Asks the provider, when somebody wants to know, and tells each thing that was looked at. */
export function AccountChecks({ ask }: AccountChecksProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [{ checks, fault }, setLooked] = useState<Looked>({ checks: null, fault: null });
  const look = async () => {
    setBusy(true);
    const { checks: found, error } = await ask(client);
    setLooked(
      found == null ? { checks: null, fault: faultOf(error) } : { checks: found, fault: null },
    );
    setBusy(false);
  };
  return (
    <Card
      title={words.title}
      flush={checks !== null}
      aside={
        <Button busy={busy} onClick={() => void look()}>
          {words.action}
        </Button>
      }
    >
      <FaultNote fault={fault} />
      {checks === null ? <p className="muted">{words.lead}</p> : <CheckTable checks={checks} />}
    </Card>
  );
}

const CheckTable = ({ checks }: { readonly checks: Checks }) => (
  <Table
    caption={words.title}
    rows={checks}
    rowId={({ text }) => text}
    columns={[
      { name: 'what', title: words.what, cell: ({ text }) => text },
      {
        name: 'outcome',
        title: texts.banks.checks.result,
        cell: ({ holds }) => (
          <StateMark tone={holds ? 'good' : 'bad'}>
            {holds ? outcomes.passed : words.missing}
          </StateMark>
        ),
      },
    ]}
  />
);
