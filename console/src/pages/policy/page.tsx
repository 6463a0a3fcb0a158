import { Link } from '@tanstack/react-router';
import { policyDocument } from '../../../../generated/console-types/pages/policy/policy.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import { GroupChangeCards, RoleChangeCards, RulesChangeCard } from './change-card.tsx';
import { Delegations } from './delegations.tsx';
import { Groups } from './groups.tsx';
import { groupNamesOf, type Policy } from './policy.ts';
import { RuleList } from './rule-list.tsx';
import './policy.css';

const words = texts.policy;

/** Who may let money go: what waits to change it, the rules that hold, and the groups. */
export function PolicyPage() {
  const fresh = useFresh(policyDocument, {});
  const mayManage = useMay('access:write');
  const policy = fresh.data?.approvalPolicy;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayManage && (
          <Link className="button" data-kind="primary" to="/policy/edit">
            {words.edit}
          </Link>
        )
      }
    >
      {policy === undefined ? (
        <Pending of={fresh} />
      ) : (
        <div className="stack">
          <RulesChangeCard policy={policy} onDone={fresh.refresh} />
          <GroupChangeCards policy={policy} onDone={fresh.refresh} />
          <RoleChangeCards policy={policy} onDone={fresh.refresh} />
          <Active policy={policy} />
          <Groups groups={policy.groups} onDone={fresh.refresh} />
          <Delegations delegations={policy.delegations} onDone={fresh.refresh} />
        </div>
      )}
    </Page>
  );
}

/** The rules that hold, and since when by whom. */
function Active({ policy: { active, draft, groups } }: { readonly policy: Policy }) {
  const rules = active?.rules ?? null;
  return (
    <Card title={words.active}>
      <div className="stack">
        {active === null || rules === null ? (
          <p>{words.none}</p>
        ) : (
          <>
            <p className="muted">
              {words.version({ number: active.version })} <Time at={active.confirmedAt} />
              {active.proposedBy !== null &&
                ` · ${words.proposedBy({ name: personName(active.proposedBy) })}`}
              {active.confirmedBy !== null &&
                ` · ${words.confirmedBy({ name: personName(active.confirmedBy) })}`}
            </p>
            {rules.length === 0 ? (
              <p>{words.noRulesHint}</p>
            ) : (
              <RuleList rules={rules} nameOf={groupNamesOf(groups)} />
            )}
            <p className="muted">{words.addUp}</p>
          </>
        )}
        {draft !== null && (
          <Note>
            {draft.editedBy === null
              ? words.draft
              : words.draftBy({ name: personName(draft.editedBy) })}{' '}
            <Time at={draft.editedAt} />
          </Note>
        )}
      </div>
    </Card>
  );
}
