import { Link, useNavigate, useParams } from '@tanstack/react-router';
import {
  operatorAccountProvidersDocument,
  operatorProviderConnectDocument,
} from '../../../../generated/console-types/pages/operator-business/accounts.ts';
import { useFresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { ConnectForm } from '../../parts/accounts/connect-form.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Reason } from './reason.tsx';

const words = texts.accounts.connect;

/** Connects the production of a business to its account on a provider's live platform. */
export function OperatorConnectProviderPage() {
  const { id } = useParams({ from: '/shell/operator/businesses/$id/accounts/new' });
  const navigate = useNavigate();
  const fresh = useFresh(operatorAccountProvidersDocument, { id }, { everyMs: null });
  const { act, busy, fault } = useAct(operatorProviderConnectDocument);
  const production = { environment: 'production' } as const;
  return (
    <Page
      title={words.title}
      lead={words.operatorLead}
      actions={
        <Link
          className="button"
          to="/operator/businesses/$id/banks"
          params={{ id }}
          search={production}
        >
          {texts.operatorBusiness.banksTitle}
        </Link>
      }
    >
      {fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <ConnectForm
          providers={fresh.data.operatorBanking.providers}
          busy={busy}
          fault={fault}
          onSubmit={async (draft, given) => {
            const done = await act({ businessId: id, ...draft, reason: given('reason') });
            if (done === null) return;
            const isProposed = done.operatorProviderConnect === null;
            announce(isProposed ? texts.operatorBusiness.proposed : words.done);
            void navigate({
              to: '/operator/businesses/$id/banks',
              params: { id },
              search: production,
            });
          }}
        >
          <Reason />
        </ConnectForm>
      )}
    </Page>
  );
}
