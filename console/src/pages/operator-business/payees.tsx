import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { OperatorSuspendedPayeesQuery } from '../../../../generated/console-types/graphql.ts';
import {
  operatorBeneficiaryEraseDocument,
  operatorBeneficiaryReinstateDocument,
  operatorBeneficiarySuspendDocument,
  operatorSuspendedPayeesDocument,
} from '../../../../generated/console-types/pages/operator-business/business.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { Reason } from './reason.tsx';

const words = texts.operatorBusiness.payees;

type Suspended =
  OperatorSuspendedPayeesQuery['operatorSuspendedBeneficiaries']['edges'][number]['node'];
type Environment = Suspended['environment'];

interface PayeesProps {
  readonly businessId: string;
}

/** Who is suspended, and the ways to suspend, reinstate and erase a payee. */
export function Payees({ businessId }: PayeesProps) {
  const { after } = useSearch({ from: '/shell/operator/businesses/$id' });
  const navigate = useNavigate({ from: '/operator/businesses/$id' });
  const place = after === undefined ? {} : { after };
  const fresh = useFresh(operatorSuspendedPayeesDocument, { id: businessId, ...forwards(place) });
  const [asked, setAsked] = useState<'suspend' | 'erase' | Suspended | null>(null);
  const dialog = { businessId, onClose: () => setAsked(null), onDone: fresh.refresh };
  return (
    <Card
      title={words.title}
      flush
      aside={
        <div className="row">
          <Button onClick={() => setAsked('suspend')}>{words.suspend}</Button>
          <Button onClick={() => setAsked('erase')}>{words.erase}</Button>
        </div>
      }
    >
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorSuspendedBeneficiaries ?? null}
        place={place}
        onPlace={(to) =>
          void navigate({ search: to.after === undefined ? {} : { after: to.after } })
        }
        versionOf={({ since }) => since}
        empty={<Empty title={words.none} />}
        columns={[
          {
            name: 'payee',
            title: words.payee,
            cell: ({ id, environment }) => (
              <>
                <code>{id}</code>
                <div className="muted small">{texts.environment[environment]}</div>
              </>
            ),
          },
          { name: 'since', title: words.since, cell: ({ since }) => <Time at={since} /> },
          { name: 'why', title: words.why, cell: ({ reason }) => reason ?? '–' },
          {
            name: 'actions',
            title: texts.operatorBanks.actions,
            cell: (row) => (
              <Button aria-label={words.reinstateOf({ id: row.id })} onClick={() => setAsked(row)}>
                {words.reinstate}
              </Button>
            ),
          },
        ]}
      />
      <Suspend open={asked === 'suspend'} {...dialog} />
      <Erase open={asked === 'erase'} {...dialog} />
      <Reinstate payee={typeof asked === 'object' ? asked : null} {...dialog} />
    </Card>
  );
}

interface DialogProps extends PayeesProps {
  onClose(): void;
  onDone(): void;
}

interface NamedFields {
  readonly environment: Environment;
  onEnvironment(environment: Environment): void;
}

const environments = {
  production: texts.environment.production,
  sandbox: texts.environment.sandbox,
};

/** Which payee of which tenant. */
function WhichPayee({ environment, onEnvironment }: NamedFields) {
  return (
    <>
      <Choice
        label={words.environment}
        options={environments}
        value={environment}
        onChange={(chosen) => onEnvironment(chosen ?? 'production')}
      />
      <TextField label={words.id} name="payee" placeholder="ben_…" required />
    </>
  );
}

function Suspend({ businessId, open, onClose, onDone }: DialogProps & { readonly open: boolean }) {
  const { act, busy, fault, forget } = useAct(operatorBeneficiarySuspendDocument);
  const [environment, setEnvironment] = useState<Environment>('production');
  const close = () => {
    forget();
    onClose();
  };
  return (
    <FormDialog
      title={words.suspend}
      action={words.suspend}
      danger
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const [beneficiaryId, reason] = [given('payee'), given('reason')];
        if ((await act({ businessId, environment, beneficiaryId, reason })) === null) return;
        announce(words.suspended);
        close();
        onDone();
      }}
    >
      <p>{words.suspendMeans}</p>
      <WhichPayee environment={environment} onEnvironment={setEnvironment} />
      <Reason />
    </FormDialog>
  );
}

function Reinstate({
  businessId,
  payee,
  onClose,
  onDone,
}: DialogProps & { readonly payee: Suspended | null }) {
  const { act, busy, fault, forget } = useAct(operatorBeneficiaryReinstateDocument);
  const close = () => {
    forget();
    onClose();
  };
  return (
    <FormDialog
      title={words.reinstate}
      action={words.reinstate}
      open={payee !== null}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const { id: beneficiaryId = '', environment = 'production' } = payee ?? {};
        const order = { businessId, environment, beneficiaryId, reason: given('reason') };
        if ((await act(order)) === null) return;
        announce(words.reinstated);
        close();
        onDone();
      }}
    >
      <p>{words.reinstateMeans}</p>
      <p>
        <code>{payee?.id}</code>
      </p>
      <Reason />
    </FormDialog>
  );
}

function Erase({ businessId, open, onClose, onDone }: DialogProps & { readonly open: boolean }) {
  const { act, busy, fault, forget } = useAct(operatorBeneficiaryEraseDocument);
  const [environment, setEnvironment] = useState<Environment>('production');
  const [ground, setGround] = useState<keyof typeof words.grounds>('payee_request');
  const close = () => {
    forget();
    onClose();
  };
  return (
    <FormDialog
      title={words.erase}
      action={words.erase}
      danger
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const [beneficiaryId, reason] = [given('payee'), given('reason')];
        const order = { businessId, environment, beneficiaryId, ground, reason };
        if ((await act(order)) === null) return;
        announce(words.erased);
        close();
        onDone();
      }}
    >
      <p>{words.eraseMeans}</p>
      <WhichPayee environment={environment} onEnvironment={setEnvironment} />
      <Choice
        label={words.ground}
        options={words.grounds}
        value={ground}
        onChange={(chosen) => setGround(chosen ?? 'payee_request')}
      />
      <Reason />
    </FormDialog>
  );
}
