import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from 'urql';
import type {
  OperatorBusinessBanksQuery,
  PayoutRouteInput,
} from '../../../../generated/console-types/graphql.ts';
import {
  operatorBusinessBanksDocument,
  operatorRoutesPreviewDocument,
  operatorRoutesReplaceDocument,
} from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { AccountTable } from '../../parts/accounts/account-table.tsx';
import { RoutesEditor } from '../../parts/banking/routes-editor.tsx';
import { ConnectionMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';
import { Reason } from './reason.tsx';

const words = texts.operatorBusiness;
const common = texts.banks;

type Banking = OperatorBusinessBanksQuery['operatorBanking'];

/** The banks of one business in one environment: its connections, and who pays what. */
export function OperatorBusinessBanksPage() {
  const { id } = useParams({ from: '/shell/operator/businesses/$id/banks' });
  const { environment } = useSearch({ from: '/shell/operator/businesses/$id/banks' });
  const navigate = useNavigate({ from: '/operator/businesses/$id/banks' });
  const fresh = useFresh(operatorBusinessBanksDocument, { id, environment }, { everyMs: null });
  const banking = fresh.data?.operatorBanking ?? null;
  return (
    <Page
      title={words.banksTitle}
      lead={<code>{id}</code>}
      actions={
        <>
          {environment === 'production' && (
            <>
              <Link
                className="button"
                data-kind="primary"
                to="/operator/businesses/$id/banks/new"
                params={{ id }}
              >
                {common.connect.title}
              </Link>
              <Link className="button" to="/operator/businesses/$id/accounts/new" params={{ id }}>
                {texts.accounts.connect.title}
              </Link>
            </>
          )}
          <Link
            className="button"
            to="/operator/businesses/$id/month"
            params={{ id }}
            search={{ environment }}
          >
            {common.month.title}
          </Link>
          <Link className="button" to="/operator/businesses/$id" params={{ id }} search={{}}>
            {words.title}
          </Link>
        </>
      }
    >
      <div className="filters">
        <Choice
          label={words.payees.environment}
          options={{
            production: texts.environment.production,
            sandbox: texts.environment.sandbox,
          }}
          value={environment}
          onChange={(chosen) => void navigate({ search: { environment: chosen ?? 'production' } })}
        />
      </div>
      {banking === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <div className="stack">
          <Connections businessId={id} environment={environment} banking={banking} />
          {banking.accounts.length > 0 && (
            <AccountTable
              accounts={banking.accounts}
              nameOf={({ id: connection, name }) => (
                <Link
                  to="/operator/businesses/$id/accounts/$connection"
                  params={{ id, connection }}
                  search={{ environment }}
                >
                  {name}
                </Link>
              )}
            />
          )}
          <Routes
            key={`${environment} ${banking.routing.version}`}
            businessId={id}
            environment={environment}
            banking={banking}
            onDone={fresh.refresh}
          />
        </div>
      )}
    </Page>
  );
}

interface BankingProps {
  readonly businessId: string;
  readonly environment: 'sandbox' | 'production';
  readonly banking: Banking;
}

function Connections({ businessId: id, environment, banking: { connections } }: BankingProps) {
  if (connections.length === 0) return <Empty title={common.none} />;
  return (
    <Card title={common.connections} flush>
      <Table
        caption={common.connections}
        rows={connections}
        rowId={(row) => row.id}
        columns={[
          {
            name: 'name',
            title: common.connection.name,
            cell: ({ connection: { id: connection, name, accountCurrency, accountLast4 } }) => (
              <div className="reading">
                <Link
                  to="/operator/businesses/$id/banks/$connection"
                  params={{ id, connection }}
                  search={{ environment }}
                >
                  {name}
                </Link>
                <div className="muted small">
                  {texts.operatorBanks.connections.account({
                    currency: accountCurrency,
                    last4: accountLast4,
                  })}
                </div>
              </div>
            ),
          },
          {
            name: 'state',
            title: common.connection.state,
            cell: ({ connection: { status } }) => <ConnectionMark status={status} />,
          },
          {
            name: 'way',
            title: common.connection.way,
            cell: ({ connection: { transport }, transportFacts }) => (
              <>
                {texts.operatorBanks.connections.ways[transport]}
                {transportFacts.map((fact) => (
                  <div key={fact} className="muted small">
                    <code>{fact}</code>
                  </div>
                ))}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The routes: those of production are replaced with a reason, and where there are two operators by two. */
function Routes({ businessId, environment, banking, onDone }: BankingProps & { onDone(): void }) {
  const client = useClient();
  const save = useAct(operatorRoutesReplaceDocument);
  const [asked, setAsked] = useState<PayoutRouteInput[] | null>(null);
  const isProduction = environment === 'production';
  return (
    <>
      {!isProduction && <Note>{words.sandboxRoutes}</Note>}
      <RoutesEditor
        routes={banking.routing.routes}
        payers={banking.payers}
        connections={[
          ...banking.connections.map(({ connection }) => connection),
          ...banking.accounts,
        ]}
        fault={null}
        busy={false}
        onPreview={async (routes) => {
          const found = await client.query(
            operatorRoutesPreviewDocument,
            { id: businessId, environment, routes },
            { requestPolicy: 'network-only' },
          );
          return found.data === undefined
            ? { fault: faultOf(found.error), rows: null }
            : { fault: null, rows: found.data.operatorRoutesPreview };
        }}
        {...(isProduction && { onSave: (routes: PayoutRouteInput[]) => setAsked(routes) })}
      />
      <FormDialog
        title={words.replaceRoutes}
        action={words.replaceRoutes}
        open={asked !== null}
        busy={save.busy}
        fault={save.fault}
        onClose={() => {
          save.forget();
          setAsked(null);
        }}
        onSubmit={async (given) => {
          const { version } = banking.routing;
          const reason = given('reason');
          const done = await save.act({ businessId, version, routes: asked ?? [], reason });
          if (done === null) return;
          announce(done.operatorRoutesReplace === null ? words.proposed : common.routes.saved);
          setAsked(null);
          onDone();
        }}
      >
        <p>{words.replaceMeans({ count: asked?.length ?? 0 })}</p>
        <Reason />
      </FormDialog>
    </>
  );
}
