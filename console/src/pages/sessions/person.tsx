import { useState } from 'react';
import { NameDialog } from '../../app/own-name.tsx';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.people;

/** Who the reader is here: an operator's name is given with their access. */
export function Person() {
  const { viewer } = useSession();
  const [asked, setAsked] = useState(false);
  const { businessId, memberships, role } = viewer;
  const business = memberships.find((one) => one.businessId === businessId);
  return (
    <Card title={words.person}>
      <div className="stack">
        <Facts
          facts={[
            [words.name, viewer.name ?? words.unnamed],
            [words.email, viewer.email],
            [words.business, business?.businessName],
            [words.role, role && texts.roles[role]],
          ]}
        />
        {!viewer.isOperator && (
          <div>
            <Button onClick={() => setAsked(true)}>{words.changeName}</Button>
          </div>
        )}
      </div>
      <NameDialog open={asked} onClose={() => setAsked(false)} />
    </Card>
  );
}
