import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import type { DayRange } from './range.ts';

const words = texts.overview.deliveries;

type Health = OverviewQuery['figures']['deliveryHealth'];

function standing({ failingSince, pending, delivered, dead }: Health) {
  if (failingSince) return <StateMark tone="bad">{words.failing}</StateMark>;
  if (pending + delivered + dead === 0) return <StateMark tone="calm">{words.none}</StateMark>;
  return <StateMark tone="good">{words.healthy}</StateMark>;
}

const statuses = ['delivered', 'pending', 'dead', 'canceled'] as const;

interface DeliveriesProps {
  readonly health: Health;
  readonly range: DayRange;
}

/** How the webhook deliveries of the range fare, and the endpoint at this moment. */
export function Deliveries({ health, range }: DeliveriesProps) {
  const { failingSince, failures, lastStatusCode, lastError } = health;
  const answer = lastStatusCode ? words.status({ status: lastStatusCode }) : lastError;
  return (
    <Card title={words.title} aside={standing(health)}>
      <Facts
        facts={[
          ...(failingSince
            ? ([
                [words.since, <Time key="since" at={failingSince} />],
                [words.failures, grouped(failures)],
                [words.last, answer],
              ] as const)
            : []),
          ...statuses.map(
            (status) =>
              [
                words[status],
                <ListLink key={status} to="/webhooks" filter={{ status, ...range.created }}>
                  {grouped(health[status])}
                </ListLink>,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}
