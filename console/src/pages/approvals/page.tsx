import { getRouteApi } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { pageVariables } from '../payouts/address.ts';
import { approvalQueueDocument } from '../../../../generated/console-types/pages/approvals/approvals.ts';
import { Queue } from './queue.tsx';
import { useSelected } from './use-selected.ts';
import './approvals.css';

const route = getRouteApi('/shell/approvals');
const words = texts.approvals;

function leadOf(total: number, exact: boolean): string {
  if (total === 0) return words.leadNone;
  return exact ? words.lead({ count: total }) : words.leadMore({ count: total });
}

/** What waits for a decision, longest first, and all that a person needs to decide on it. */
export function ApprovalsPage() {
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const mayDecide = useMay('payouts:decide');
  const fresh = useFresh(approvalQueueDocument, pageVariables(place));
  const { data, refresh } = fresh;
  const rows = data?.payouts.edges.map(({ node }) => node) ?? null;
  const selection = useSelected(rows);
  if (data === null || rows === null) {
    return (
      <Page title={words.title}>
        <Card flush>
          <Pending of={fresh} lines={8} />
        </Card>
      </Page>
    );
  }
  const { pageInfo, totalCount, totalCountIsExact } = data.payouts;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  return (
    <Page title={words.title} lead={leadOf(totalCount, totalCountIsExact)}>
      {!mayDecide && <Note>{words.mayNotDecide}</Note>}
      <Queue
        listKey={JSON.stringify(place)}
        rows={rows}
        selection={selection}
        mayDecide={mayDecide}
        onDecided={refresh}
        blank={
          <Card flush>
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
            </Empty>
          </Card>
        }
        pager={
          <Pager
            shown={rows.length}
            total={totalCount}
            totalIsExact={totalCountIsExact}
            {...(hasPreviousPage && startCursor !== null
              ? { onPrevious: () => void navigate({ search: { before: startCursor } }) }
              : {})}
            {...(hasNextPage && endCursor !== null
              ? { onNext: () => void navigate({ search: { after: endCursor } }) }
              : {})}
          />
        }
      />
    </Page>
  );
}
