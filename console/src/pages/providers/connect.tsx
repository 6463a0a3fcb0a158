import { useNavigate } from '@tanstack/react-router';
import {
  accountProvidersDocument,
  sandboxProviderConnectDocument,
} from '../../../../generated/console-types/pages/providers/providers.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { ConnectForm } from '../../parts/accounts/connect-form.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.accounts.connect;

/** Connects a sandbox to an account on a provider's test platform; that of production is connected by operators. */
export function ConnectProviderPage() {
  const navigate = useNavigate();
  const { viewer } = useSession();
  const mayConnect = useMay('banks:write') && viewer.environment === 'sandbox';
  const fresh = useFresh(accountProvidersDocument, {}, { everyMs: null, pause: !mayConnect });
  const { act, busy, fault } = useAct(sandboxProviderConnectDocument);
  if (!mayConnect) {
    return (
      <Page title={words.title}>
        <Note>{words.byOperators}</Note>
      </Page>
    );
  }
  return (
    <Page title={words.title} lead={words.lead}>
      {fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <ConnectForm
          providers={fresh.data.accountProviders}
          busy={busy}
          fault={fault}
          onSubmit={async (draft) => {
            const id = (await act(draft))?.sandboxProviderConnect?.id;
            if (id === undefined) return;
            announce(words.done);
            void navigate({ to: '/providers/accounts/$id', params: { id } });
          }}
        />
      )}
    </Page>
  );
}
