import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { payeeColumns } from './columns.tsx';
import { FoundPayees } from './found.tsx';
import { InviteDialog } from './invite.tsx';
import { payeesDocument } from '../../../../generated/console-types/pages/payees/payees.ts';
import type { PayeeChoice } from './choice.ts';

const words = texts.payees;

/** The payees of the environment, newest first, and a way to invite another. */
export function PayeesPage() {
  const { after, before, ...choice } = useSearch({ from: '/shell/payees' });
  const place = {
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
  const navigate = useNavigate({ from: '/payees' });
  const { sought, type, compliance } = choice;
  const filter = {
    beneficiaryType: type ?? null,
    complianceStatus: compliance ?? null,
  };
  const isSearch = sought !== undefined;
  const fresh = useFresh(payeesDocument, { ...pageOf(place), filter }, { pause: isSearch });
  const [inviting, setInviting] = useState(false);
  const mayWrite = useMay('payees:write');
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayWrite && (
          <>
            <Button onClick={() => setInviting(true)}>{words.invite}</Button>
            <Link className="button" data-kind="primary" to="/payees/new">
              {words.add}
            </Link>
          </>
        )
      }
    >
      <Filters
        choice={choice}
        onChange={(changed) => void navigate({ search: changed })}
        onId={(id) => void navigate({ to: '/payees/$id', params: { id } })}
      />
      {sought === undefined ? (
        <Card flush>
          <Listing
            caption={words.title}
            fresh={fresh}
            page={fresh.data?.beneficiaries ?? null}
            place={place}
            onPlace={(to) => void navigate({ search: { ...choice, ...to } })}
            versionOf={({ updatedAt, collectionStatus }) => `${updatedAt} ${collectionStatus}`}
            empty={
              <Empty title={Object.keys(choice).length === 0 ? words.none : words.noneFits}>
                {words.noneHint}
              </Empty>
            }
            columns={payeeColumns}
          />
        </Card>
      ) : (
        <FoundPayees text={sought} />
      )}
      <InviteDialog
        open={inviting}
        onClose={() => setInviting(false)}
        onDone={() => {
          setInviting(false);
          if (!isSearch) fresh.refresh();
        }}
      />
    </Page>
  );
}

interface FiltersProps {
  readonly choice: PayeeChoice;
  onChange(choice: PayeeChoice): void;
  onId(id: string): void;
}

function Filters({ choice, onChange, onId }: FiltersProps) {
  const { sought: _sought, ...others } = choice;
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sought = valuesOf(event.currentTarget)('sought');
    if (sought.startsWith('ben_')) return onId(sought);
    onChange(sought === '' ? others : { sought });
  };
  const { type: _type, ...withoutType } = choice;
  const { compliance: _compliance, ...withoutCompliance } = choice;
  return (
    <form className="filters" role="search" onSubmit={search}>
      <TextField
        key={choice.sought ?? ''}
        label={words.search}
        name="sought"
        type="search"
        defaultValue={choice.sought ?? ''}
      />
      <Choice
        label={words.type}
        options={words.types}
        any={words.anyType}
        value={choice.type}
        onChange={(type) => onChange(type === undefined ? withoutType : { ...choice, type })}
      />
      <Choice
        label={words.compliance}
        options={words.compliances}
        any={words.anyCompliance}
        value={choice.compliance}
        onChange={(compliance) =>
          onChange(compliance === undefined ? withoutCompliance : { ...choice, compliance })
        }
      />
      <Button type="submit">{words.find}</Button>
    </form>
  );
}
