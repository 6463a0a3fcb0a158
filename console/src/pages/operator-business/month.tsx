import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { operatorBankMonthDocument } from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { MonthField, monthBefore } from '../../parts/banking/month-field.tsx';
import { MonthCards } from '../../parts/banking/month-table.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PrintButton, SignOff } from '../../parts/print.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.banks.month;

/** A month's end of one business, as its own page shows it. */
export function OperatorBankMonthPage() {
  const { id } = useParams({ from: '/shell/operator/businesses/$id/month' });
  const search = useSearch({ from: '/shell/operator/businesses/$id/month' });
  const { environment, month = monthBefore() } = search;
  const navigate = useNavigate({ from: '/operator/businesses/$id/month' });
  const fresh = useFresh(
    operatorBankMonthDocument,
    { id, environment, month },
    { everyMs: 60_000 },
  );
  const months = fresh.data?.operatorBankMonth ?? null;
  return (
    <Page
      title={words.titleOf({ month })}
      lead={<code>{id}</code>}
      actions={
        <>
          <PrintButton />
          <Link
            className="button"
            to="/operator/businesses/$id/banks"
            params={{ id }}
            search={{ environment }}
          >
            {texts.operatorBusiness.banksTitle}
          </Link>
        </>
      }
    >
      <MonthField
        month={month}
        onMonth={(chosen) => void navigate({ search: { environment, month: chosen } })}
      />
      {months === null ? (
        <Pending of={fresh} lines={8} />
      ) : months.length === 0 ? (
        <Empty title={texts.banks.none} />
      ) : (
        <div className="stack">
          <MonthCards months={months} />
          <SignOff />
        </div>
      )}
    </Page>
  );
}
