import { Link } from '@tanstack/react-router';
import { useClient } from 'urql';
import {
  bankRoutesDocument,
  bankRoutesPreviewDocument,
  sandboxRoutesReplaceDocument,
} from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { RoutesEditor } from '../../parts/banking/routes-editor.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';

const words = texts.banks.routes;

/** Who pays what: the routes in their order, and what would go elsewhere by others. */
export function BankRoutesPage() {
  const fresh = useFresh(bankRoutesDocument, {}, { everyMs: null });
  const client = useClient();
  const { viewer } = useSession();
  const maySave = useMay('banks:write') && viewer.environment === 'sandbox';
  const save = useAct(sandboxRoutesReplaceDocument);
  const { data } = fresh;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/banks">
          {texts.banks.title}
        </Link>
      }
    >
      {data === null ? (
        <Pending of={fresh} lines={8} />
      ) : (
        <div className="stack">
          {!maySave && <Note>{words.onlyTry}</Note>}
          <RoutesEditor
            key={data.payoutRoutes.version}
            routes={data.payoutRoutes.routes}
            payers={data.payoutProviders}
            connections={[...data.bankConnections, ...data.providerConnections]}
            onPreview={async (routes) => {
              const asked = await client.query(
                bankRoutesPreviewDocument,
                { routes },
                { requestPolicy: 'network-only' },
              );
              return asked.data === undefined
                ? { fault: faultOf(asked.error), rows: null }
                : { fault: null, rows: asked.data.payoutRoutesPreview };
            }}
            fault={save.fault}
            busy={save.busy}
            {...(maySave && {
              onSave: async (routes) => {
                const { version } = data.payoutRoutes;
                if ((await save.act({ version, routes })) === null) return;
                announce(words.saved);
                fresh.refresh();
              },
            })}
          />
        </div>
      )}
    </Page>
  );
}
