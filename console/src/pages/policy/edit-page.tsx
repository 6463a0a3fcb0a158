import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  policyEditedDocument,
  policyDraftSaveDocument,
  policyProposeDocument,
  policyPurposesDocument,
} from '../../../../generated/console-types/pages/policy/policy.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import {
  editedOf,
  inputOf,
  newRule,
  Unreadable,
  type EditedRule,
  type RuleInput,
} from './edited.ts';
import { groupNamesOf, type EditedPolicy, type NamedGroup, type Rule } from './policy.ts';
import { RuleFields } from './rule-fields.tsx';
import { RulesDifference } from './rule-list.tsx';
import './policy.css';

const words = texts.policy;

/** Writes the next version of the rules, and proposes it. */
export function PolicyEditPage() {
  // It is not read anew under who edits it.
  const fresh = useFresh(policyEditedDocument, {}, { everyMs: null });
  const purposes = useFresh(policyPurposesDocument, {}, { everyMs: null });
  const mayManage = useMay('access:write');
  const policy = fresh.data?.approvalPolicy;
  return (
    <Page title={words.editTitle} lead={words.editLead}>
      {!mayManage ? (
        <Note>{words.managersOnly}</Note>
      ) : policy === undefined ? (
        <Pending of={fresh} />
      ) : (
        <Editor policy={policy} purposes={purposes.data?.purposesOfPayment ?? []} />
      )}
    </Page>
  );
}

/** The rules that somebody begins with: their draft, what holds, or one that asks for a second person. */
const beginning = ({ draft, active }: EditedPolicy): readonly EditedRule[] => {
  const rules = draft?.rules ?? active?.rules ?? null;
  return rules === null ? [{ ...newRule(), name: words.firstRule }] : rules.map(editedOf);
};

/** Whom a step can ask: the roles that decide, each of which is a group, and the groups. */
const groupsAndRoles = ({ roles, groups }: EditedPolicy): readonly NamedGroup[] => [
  ...roles.map((role) => ({ id: role, name: texts.roles[role] })),
  ...groups,
];

interface EditorProps {
  readonly policy: EditedPolicy;
  readonly purposes: readonly string[];
}

/** A draft that was saved and may be proposed. */
interface SavedDraft {
  readonly revision: number;
  /** Null for the end of the policy. */
  readonly rules: readonly Rule[] | null;
}

function Editor({ policy, purposes }: EditorProps) {
  const [rules, setRules] = useState(() => beginning(policy));
  const [revision, setRevision] = useState(policy.draft?.revision ?? null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const [proposed, setProposed] = useState<SavedDraft | null>(null);
  const save = useAct(policyDraftSaveDocument);

  const saveDraft = async (given: readonly EditedRule[] | null): Promise<SavedDraft | null> => {
    setUnreadable(null);
    const read = given === null ? null : readRules(given);
    if (typeof read === 'string') {
      setUnreadable(read);
      return null;
    }
    const saved = (await save.act({ rules: read, revision }))?.approvalPolicyDraftSave ?? null;
    if (saved !== null) setRevision(saved.revision);
    return saved;
  };
  return (
    <div className="stack">
      {policy.proposal !== null && <Note tone="wait">{words.replacesProposal}</Note>}
      <RulesFields
        rules={rules}
        groups={groupsAndRoles(policy)}
        purposes={purposes}
        onChange={setRules}
      />
      <div role="alert">{unreadable !== null && <Note tone="bad">{unreadable}</Note>}</div>
      <FaultNote fault={save.fault} />
      <div className="row">
        <Button
          busy={save.busy}
          onClick={() => void saveDraft(rules).then((done) => done && announce(words.saved))}
        >
          {words.saveDraft}
        </Button>
        <Button
          kind="primary"
          busy={save.busy}
          onClick={() => void saveDraft(rules).then(setProposed)}
        >
          {words.propose}
        </Button>
        {policy.active?.rules && (
          <Button busy={save.busy} onClick={() => void saveDraft(null).then(setProposed)}>
            {words.end}
          </Button>
        )}
        <Link className="button" to="/policy">
          {texts.action.cancel}
        </Link>
      </div>
      <ProposeDialog policy={policy} draft={proposed} onClose={() => setProposed(null)} />
    </div>
  );
}

interface RulesFieldsProps extends Omit<EditorProps, 'policy'> {
  readonly rules: readonly EditedRule[];
  readonly groups: readonly NamedGroup[];
  onChange(rules: readonly EditedRule[]): void;
}

function RulesFields({ rules, groups, purposes, onChange }: RulesFieldsProps) {
  const set = (at: number, rule: EditedRule) =>
    onChange(rules.map((one, index) => (index === at ? rule : one)));
  const move = (at: number, by: -1 | 1) => {
    const moved = [...rules];
    const [rule] = moved.splice(at, 1);
    if (rule !== undefined) moved.splice(at + by, 0, rule);
    onChange(moved);
  };
  return (
    <>
      {rules.map((rule, index) => (
        <RuleFields
          key={rule.key}
          rule={rule}
          number={index + 1}
          last={index === rules.length - 1}
          groups={groups}
          purposes={purposes}
          onChange={(changed) => set(index, changed)}
          onRemove={() => onChange(rules.filter(({ key }) => key !== rule.key))}
          onMove={(by) => move(index, by)}
        />
      ))}
      {rules.length === 0 && <Note>{words.noRulesHint}</Note>}
      <div>
        <Button onClick={() => onChange([...rules, newRule()])}>{words.addRule}</Button>
      </div>
    </>
  );
}

interface ProposeProps {
  readonly policy: EditedPolicy;
  /** What is proposed; null while nothing is. */
  readonly draft: SavedDraft | null;
  onClose(): void;
}

/** Says in words what the draft changes, asks why, and proposes it. */
function ProposeDialog({ policy, draft, onClose }: ProposeProps) {
  const navigate = useNavigate();
  const { act, busy, fault, forget } = useAct(policyProposeDocument);
  const confirm = async (reason: string | null) => {
    if (draft === null || (await act({ revision: draft.revision, reason })) === null) return;
    announce(words.proposed);
    void navigate({ to: '/policy' });
  };
  return (
    <ReasonDialog
      title={words.proposeTitle}
      action={words.propose}
      open={draft !== null}
      busy={busy}
      fault={<FaultNote fault={fault} />}
      onClose={() => {
        forget();
        onClose();
      }}
      onConfirm={(reason) => void confirm(reason)}
    >
      <p>{words.proposeMeans}</p>
      {draft !== null && (
        <RulesDifference
          before={policy.active?.rules ?? null}
          after={draft.rules}
          nameOf={groupNamesOf(policy.groups)}
        />
      )}
    </ReasonDialog>
  );
}

/** The rules as the service takes them, or what is wrong with one of them. */
function readRules(rules: readonly EditedRule[]): RuleInput[] | string {
  const read: RuleInput[] = [];
  for (const [index, rule] of rules.entries()) {
    try {
      read.push(inputOf(rule));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return words.faults.rule({ number: index + 1, fault: error.message });
    }
  }
  return read;
}
