import { useState } from 'react';
import { useClient } from 'urql';
import type { PolicyTrialOneQuery } from '../../../../generated/console-types/graphql.ts';
import { policyTrialOneDocument } from '../../../../generated/console-types/pages/policy/policy.ts';
import { Button } from '../../parts/button.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { listedWithOr, texts } from '../../texts/texts.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { minorOf } from '../../values/money.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import { PayeeField } from '../payout-new/payee-fields.tsx';
import { usePayee } from '../payout-new/use-payee.ts';
import { Typed } from './condition-fields.tsx';
import { readRules, type EditedRule } from './edited.ts';
import type { GroupNames } from './policy.ts';

const words = texts.policy.trial;

type Tried = NonNullable<PolicyTrialOneQuery['approvalPolicyTrialOne']>;

interface TrialOneProps {
  readonly rules: readonly EditedRule[];
  readonly nameOf: GroupNames;
  readonly purposes: readonly string[];
}

/** What the rules would ask for of one payout that is typed in. */
export function TrialOne({ rules, nameOf, purposes }: TrialOneProps) {
  const client = useClient();
  const [payee, setPayee] = useState('');
  const [amount, setAmount] = useState('');
  const [purpose, setPurpose] = useState(purposes[0] ?? '');
  const [tried, setTried] = useState<Tried | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const found = usePayee(payee);
  const account =
    found.kind === 'found'
      ? (found.payee.bankAccounts.find(({ payoutUsable }) => payoutUsable) ??
        found.payee.bankAccounts[0])
      : undefined;
  const run = async () => {
    if (found.kind !== 'found' || account === undefined) return;
    const given = readRules(rules);
    const minor = minorOf(amount, account.currency);
    setTried(null);
    setFault(null);
    if (typeof given === 'string' || minor === null) {
      const { currency } = account;
      const { faults } = texts.policy;
      setUnreadable(typeof given === 'string' ? given : faults.amount({ text: amount, currency }));
      return;
    }
    setUnreadable(null);
    const { data, error } = await client.query(
      policyTrialOneDocument,
      {
        rules: given,
        payout: {
          beneficiaryId: found.payee.id,
          bankAccountId: account.id,
          amountMinor: minor,
          currency: account.currency,
          purposeOfPayment: purpose,
        },
      },
      { requestPolicy: 'network-only' },
    );
    setFault(error === undefined ? null : faultOf(error));
    setTried(data?.approvalPolicyTrialOne ?? null);
  };
  return (
    <>
      <h3>{words.one}</h3>
      <PayeeField value={payee} payees={[]} found={found} onChange={setPayee} />
      <div className="sentence">
        {words.amount}
        <Typed className="short" label={words.amount} value={amount} onChange={setAmount} />
        {account?.currency}
        <select
          className="input"
          aria-label={texts.policy.conditions.purposes}
          value={purpose}
          onChange={({ target }) => setPurpose(target.value)}
        >
          {purposes.map((one) => (
            <option key={one} value={one}>
              {purposeWords(one)}
            </option>
          ))}
        </select>
        <Button disabled={account === undefined} onClick={() => void run()}>
          {words.runOne}
        </Button>
      </div>
      <div role="alert">{unreadable !== null && <Note tone="bad">{unreadable}</Note>}</div>
      <FaultNote fault={fault} />
      <div role="status">{tried !== null && <Answer tried={tried} nameOf={nameOf} />}</div>
    </>
  );
}

function Answer({ tried, nameOf }: { readonly tried: Tried; readonly nameOf: GroupNames }) {
  const { effect, reason, rules, demands, nobodyCanApprove } = tried;
  const { says, effects } = texts.policy;
  return (
    <Note tone={effect === 'block' || nobodyCanApprove ? 'bad' : 'good'}>
      <p>
        {effect === 'block' ? says.block({ reason: reason ?? '' }) : effects[effect]}
        {rules.length > 0 && ` (${words.byRules({ list: rules.join(', ') })})`}
      </p>
      <ol>
        {demands.map(({ rule, step, approvals: count, groups }) => (
          <li key={`${String(rule)} ${step}`}>
            {says.step({ count, groups: listedWithOr(groups.map(nameOf)) })}
          </li>
        ))}
      </ol>
      {nobodyCanApprove && <p>{texts.payoutSteps.states.stuck}</p>}
    </Note>
  );
}
