import { Link } from '@tanstack/react-router';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { MissingDebits } from './bank-missing-debits.tsx';
import { UnmatchedLines } from './bank-lines.tsx';
import { StrayAnswers } from './bank-stray-answers.tsx';
import { UnreadableFiles } from './bank-unreadable-files.tsx';

const words = texts.operatorBanks.desk;

/** What banks wrote that does not fit, and what they should have written by now, each with what can be done. */
export function BankDeskPage() {
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/operator/banks" search={{}}>
          {texts.operatorBanks.title}
        </Link>
      }
    >
      <div className="stack">
        <UnmatchedLines />
        <MissingDebits />
        <StrayAnswers />
        <UnreadableFiles />
      </div>
    </Page>
  );
}
