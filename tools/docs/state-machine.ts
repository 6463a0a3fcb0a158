import {
  payoutStates,
  replaceableStates,
  transitions,
  type PayoutState,
} from '../../src/domain/payout/machine.ts';
import { permittedActions } from '../../src/domain/payout/permitted.ts';

type Transition = (typeof transitions)[number];

const mermaidName = (state: PayoutState | 'new') => (state === 'new' ? '[*]' : state);

function isFinal(state: PayoutState): boolean {
  return transitions.every(({ from }) => from !== state);
}

function arrow({ from, to, trigger, beforeHandOver }: Transition): string {
  const label = beforeHandOver === true ? `${trigger} (before the hand-over)` : trigger;
  return `  ${mermaidName(from)} --> ${to}: ${label}`;
}

function diagram(): string {
  const ends = payoutStates.filter(isFinal).map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...transitions.map(arrow), ...ends, '```'].join('\n');
}

/** One paragraph for each transition that no code makes. */
function unmade(): string {
  return transitions
    .flatMap(({ from, to, unmade: reason }) =>
      reason === undefined
        ? []
        : [`Nothing makes \`${from}\` → \`${to}\` in this version. ${reason}`],
    )
    .join('\n\n');
}

function transitionTable(): string {
  const rows = transitions.map(({ trigger, from, to, beforeHandOver }) => {
    const when = beforeHandOver === true ? 'only while nothing was handed to the provider' : 'yes';
    const start = from === 'new' ? '(new)' : `\`${from}\``;
    return `| ${start} | ${trigger} | \`${to}\` | ${when} |`;
  });
  return ['| From | Trigger | To | By the state |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function stateTable(): string {
  const rows = payoutStates.map((state) => {
    const actions = permittedActions(state, false);
    const still = permittedActions(state, true);
    const list = actions.map((a) => (still.includes(a) ? a : `${a} (before the hand-over)`));
    const next = replaceableStates.includes(state) ? 'yes, once' : 'no';
    return `| \`${state}\` | ${list.join(', ') || 'none'} | ${isFinal(state) ? 'yes' : 'no'} | ${next} |`;
  });
  return [
    '| State | Actions of a caller | Final | Can be replaced |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The page on the payout's state machine as Markdown. */
export function stateMachinePage(): string {
  return `# The state machine of a payout

This page is made from \`src/domain/payout/machine.ts\` by \`npm run generate\`. The same table gives the enum of REST and GraphQL, the permitted actions and the test matrix, and is compared with the CHECK of the database that refuses a record of any other transition.

${diagram()}

## Transitions

${transitionTable()}

A transition that the table does not have is answered with 409 \`INVALID_STATE_TRANSITION\`. Each one leaves a record with its actor and reason. The state is not all that a move depends on: what else an approval needs is in \`src/domain/payout/approval-obstacle.ts\`, and what a move needs of an attempt or a hold in \`src/domain/payout/permitted.ts\`.

${unmade()}

## States

${stateTable()}
`;
}
