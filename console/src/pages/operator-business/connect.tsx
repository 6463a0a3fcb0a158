import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { BankScheme } from '../../../../generated/console-types/graphql.ts';
import { operatorBankConnectDocument } from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useAct } from '../../app/use-act.ts';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import {
  AccountFields,
  AchFields,
  accountOf,
  achOf,
  AddressFields,
  addressOf,
} from './account-fields.tsx';
import {
  expectedOf,
  OtherFields,
  ScheduleFields,
  scheduleOf,
  SchemeFields,
} from './connection-fields.tsx';
import { Reason } from './reason.tsx';
import { TransportFields, transportOf, type TransportKind } from './transport-fields.tsx';

const words = texts.operatorBusiness.connect;

/** Connects the production of a business to its account at a bank. */
export function OperatorConnectBankPage() {
  const { id } = useParams({ from: '/shell/operator/businesses/$id/banks/new' });
  const navigate = useNavigate();
  const { act, busy, fault } = useAct(operatorBankConnectDocument);
  const [kind, setKind] = useState<TransportKind>('sftp');
  const [schemes, setSchemes] = useState<BankScheme[]>([]);
  return (
    <Page
      title={texts.banks.connect.title}
      lead={words.lead}
      actions={
        <Link
          className="button"
          to="/operator/businesses/$id/banks"
          params={{ id }}
          search={{ environment: 'production' }}
        >
          {texts.operatorBusiness.banksTitle}
        </Link>
      }
    >
      <FormPage
        action={words.action}
        busy={busy}
        fault={fault}
        onSubmit={async (given) => {
          const done = await act({
            businessId: id,
            ...scheduleOf(given),
            debtorName: given('debtorName'),
            debtorAddress: addressOf(given),
            account: accountOf(given),
            schemes,
            transport: transportOf(kind, given),
            initiatorId: given('initiatorId') === '' ? null : given('initiatorId'),
            ach: schemes.includes('ach') ? achOf(given) : null,
            expectedFormats: expectedOf(given),
            reason: given('reason'),
          });
          if (done === null) return;
          const isProposed = done.operatorBankConnect === null;
          announce(isProposed ? texts.operatorBusiness.proposed : words.done);
          void navigate({
            to: '/operator/businesses/$id/banks',
            params: { id },
            search: { environment: 'production' },
          });
        }}
      >
        <AddressFields />
        <AccountFields />
        <SchemeFields chosen={schemes} onChoose={setSchemes} />
        {schemes.includes('ach') && <AchFields />}
        <TransportFields kind={kind} onKind={setKind} />
        <ScheduleFields />
        <OtherFields />
        <Reason />
      </FormPage>
    </Page>
  );
}
