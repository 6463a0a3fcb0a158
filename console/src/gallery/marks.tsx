import { Amount } from '../parts/amount.tsx';
import { Empty, Failed } from '../parts/blank.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyId } from '../parts/copy-id.tsx';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icon.tsx';
import { FaultNote, Note } from '../parts/note.tsx';
import { StateMark, type Tone } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { Specimen } from './specimen.tsx';

const tones: readonly Tone[] = ['good', 'wait', 'bad', 'go', 'calm'];
const noteTones = ['calm', 'good', 'wait', 'bad'] as const;
const kinds = ['primary', 'usual', 'danger', 'plain'] as const;

const fault = {
  code: 'not_found',
  title: 'There is no such payee.',
  text: 'Somebody may have archived it.',
  details: [{ field: 'id', code: 'not_found', message: 'No payee has this id.' }],
  requestId: 'req_1',
} as const;

/** What is read: states, notes, facts, what is empty and what failed. And buttons. */
export function Marks() {
  return (
    <>
      <Specimen title="Buttons">
        {kinds.map((kind) => (
          <div key={kind} className="row">
            <Button kind={kind}>{kind}</Button>
            <Button kind={kind}>
              <Icon name="plus" />
              With an icon
            </Button>
            <Button kind={kind} busy>
              Busy
            </Button>
            <Button kind={kind} aria-pressed>
              Pressed
            </Button>
          </div>
        ))}
      </Specimen>
      <Specimen title="States">
        <div className="row">
          {tones.map((tone) => (
            <StateMark key={tone} tone={tone}>
              {tone}
            </StateMark>
          ))}
        </div>
      </Specimen>
      <Specimen title="Notes">
        {noteTones.map((tone) => (
          <Note key={tone} tone={tone}>
            A remark beside the data, as <strong>{tone}</strong>. <a href="#notes">A way out</a>
          </Note>
        ))}
        <FaultNote fault={fault} />
      </Specimen>
      <Specimen title="Facts">
        <Card title="Identity" aside={<StateMark tone="good">Ready</StateMark>}>
          <p className="figure">
            <Amount minor={123_450} currency="EUR" />
          </p>
          <Facts
            facts={[
              ['Name', 'Zoë Müller'],
              ['Created', <Time key="created" at="2026-03-04T05:06:07.000Z" />],
              ['ID', <CopyId key="id" name="ID" value="ben_01m8fz25hse00azxm688jm9zgc" />],
            ]}
          />
        </Card>
      </Specimen>
      <Specimen title="Nothing and failed">
        <Empty title="No payouts yet">
          <p>What you pay stands here, newest first.</p>
          <Button kind="primary">New payout</Button>
        </Empty>
        <Failed fault={fault} onRetry={() => {}} />
        <Card title="Requests">
          <Empty title="Nothing has been requested." />
        </Card>
      </Specimen>
    </>
  );
}
