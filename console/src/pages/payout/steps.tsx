import type { PayoutStepsQuery } from '../../../../generated/console-types/graphql.ts';
import { payoutStepsDocument } from '../../../../generated/console-types/pages/payout/steps.ts';
import { useFresh } from '../../app/fresh.ts';
import { Card } from '../../parts/card.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { listed, listedWithOr, texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import { groupNamesOf } from '../policy/policy.ts';
import type { ShownPayout } from './shown.ts';

const words = texts.payoutSteps;

type Demand = NonNullable<NonNullable<PayoutStepsQuery['payout']>['approval']['demands']>[number];

/** What the approval policy demands of a payout that waits, step by step; nothing where there is no policy. */
export function Steps({ payout: { id, state } }: { readonly payout: ShownPayout }) {
  const waits = state === 'pending_approval';
  const { data } = useFresh(payoutStepsDocument, { id }, { pause: !waits });
  const demands = data?.payout?.approval.demands ?? [];
  if (!waits || demands.length === 0) return null;
  const nameOf = groupNamesOf(data?.approvalPolicy.groups ?? []);
  return (
    <Card title={words.title}>
      <ol className="plain">
        {demands.map((demand) => (
          <li key={`${String(demand.rule)} ${demand.step}`}>
            <StateMark tone={toneOf(demand)}>{words.states[standingOf(demand)]}</StateMark>{' '}
            {words.needs({
              count: demand.approvals,
              groups: listedWithOr(demand.groups.map(nameOf)),
            })}
            <div className="muted small">
              {[
                words.given({ count: demand.counted }),
                demand.distinctFrom.length === 0
                  ? ''
                  : words.notBy({
                      list: listed(
                        demand.distinctFrom.map((one) => texts.policy.says.distinct[one]),
                      ),
                    }),
                demand.stepUp ? texts.policy.says.stepUp : '',
                demand.onBehalfOf === null
                  ? ''
                  : words.onBehalf({ name: personName(demand.onBehalfOf) }),
                groundOf(demand),
              ]
                .filter(Boolean)
                .join(' · ')}
              {demand.expiresAt !== null && (
                <>
                  {` · ${words.expires} `}
                  <Time at={demand.expiresAt} />
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

type Standing = keyof typeof words.states;

function standingOf({ missing, isOpen, nobodyCanApprove }: Demand): Standing {
  if (missing === 0) return 'met';
  if (nobodyCanApprove) return 'stuck';
  return isOpen ? 'open' : 'later';
}

const tones = { met: 'good', stuck: 'bad', open: 'wait', later: 'calm' } as const;
const toneOf = (demand: Demand) => tones[standingOf(demand)];

/** What demands it: a rule of a version, or what holds where none does. */
function groundOf({ rule, policyVersion: version }: Demand): string {
  if (rule === null) return words.byDefault({ version });
  return rule === 0 ? words.bySetting : words.byRule({ rule, version });
}
