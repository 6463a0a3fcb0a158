import type { CheckPayoutMutation } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { FailedBefore } from '../../parts/failed-before.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import type { Check } from './use-check.ts';

const words = texts.newPayout.check;

/** What the dry run says, read out when it changes. */
export function CheckCard({ check }: { readonly check: Check }) {
  return (
    <Card title={words.title}>
      <div className="stack" role="status" aria-live="polite">
        {check.kind === 'nothing' && <p className="muted">{words.fill}</p>}
        {check.kind === 'asking' && <p className="muted">{words.running}</p>}
        {check.kind === 'failed' && <FaultNote fault={check.fault} />}
        {check.kind === 'answered' && <Fits tried={check.data.payoutCreate} />}
      </div>
    </Card>
  );
}

function Fits({ tried }: { readonly tried: CheckPayoutMutation['payoutCreate'] }) {
  const funding = tried?.funding ?? null;
  const failedBefore = tried?.failedBefore ?? null;
  const similar = tried?.similarPayouts?.sameAmount ?? 0;
  const isShort = funding !== null && BigInt(funding.shortfallMinor) > 0n;
  return (
    <>
      <Note tone={failedBefore === null ? 'good' : 'wait'}>
        {failedBefore !== null && <FailedBefore payout={failedBefore} />}
        <p>
          {failedBefore === null ? words.fits : words.fitsAgain} {words.next}
        </p>
      </Note>
      {similar > 0 && <Note tone="wait">{words.similar({ count: similar })}</Note>}
      {isShort && (
        <Note tone="wait">
          {words.short}
          <Amount minor={funding.shortfallMinor} currency={funding.currency} />
        </Note>
      )}
      {funding !== null && !isShort && <p className="muted">{words.funds}</p>}
    </>
  );
}
