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

function arrow({ from, to, trigger, beforeSubmission }: Transition): string {
  const label = beforeSubmission === true ? `${trigger} (before submission)` : trigger;
  return `  ${mermaidName(from)} --> ${to}: ${label}`;
}

function diagram(): string {
  const ends = payoutStates.filter(isFinal).map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...transitions.map(arrow), ...ends, '```'].join('\n');
}

function stateTable(): string {
  const rows = payoutStates.map((state) => {
    const actions = permittedActions(state, false);
    const still = permittedActions(state, true);
    const list = actions.map((a) => (still.includes(a) ? a : `${a} (before submission)`));
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

For integrators and developers: what leads a payout from one state to the next. This page is made from \`src/domain/payout/machine.ts\`, as are the enum of REST and GraphQL, the permitted actions and the test matrix. A CHECK of the database, which a test compares with it, refuses a record of any other transition.

${diagram()}

Any other transition is 409 \`INVALID_STATE_TRANSITION\`. Each one leaves a record with its actor and reason. The diagram says what the state permits; a move may need more. An approval needs a second person under four eyes, an unchanged account and an examined predecessor (\`src/domain/payout/approval-obstacle.ts\`); what a move needs of an attempt or a hold is in \`src/domain/payout/permitted.ts\`. Before submission means that no provider can have the payment yet.

## States

${stateTable()}
`;
}
