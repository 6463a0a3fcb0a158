import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { bankMonthPageDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { MonthCards } from '../../parts/banking/month-table.tsx';
import { MonthField, monthBefore } from '../../parts/banking/month-field.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PrintButton, SignOff } from '../../parts/print.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.banks.month;

/** A month's end: what banks paid, took back and kept, and what is open; a sheet that somebody signs. */
export function BankMonthPage() {
  const { month = monthBefore() } = useSearch({ from: '/shell/banks/month' });
  const navigate = useNavigate({ from: '/banks/month' });
  const fresh = useFresh(bankMonthPageDocument, { month }, { everyMs: 60_000 });
  const months = fresh.data?.bankMonth ?? null;
  const isOpen = months?.some(({ openCount, missingCount }) => openCount + missingCount > 0);
  return (
    <Page
      title={words.titleOf({ month })}
      lead={words.lead}
      actions={
        <>
          <PrintButton />
          <Link className="button" to="/banks">
            {texts.banks.title}
          </Link>
        </>
      }
    >
      <MonthField
        month={month}
        onMonth={(chosen) => void navigate({ search: { month: chosen } })}
      />
      {months === null ? (
        <Pending of={fresh} lines={8} />
      ) : months.length === 0 ? (
        <Empty title={texts.banks.none}>{texts.banks.noneHint}</Empty>
      ) : (
        <div className="stack">
          {isOpen === true && (
            <Note tone="wait">
              {words.openHint}{' '}
              <Link to="/banks/desk" search={{}}>
                {texts.banks.desk.title}
              </Link>
            </Note>
          )}
          <MonthCards months={months} />
          <SignOff />
        </div>
      )}
    </Page>
  );
}
