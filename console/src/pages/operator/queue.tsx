import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { Jobs } from './queue-jobs.tsx';
import { Tasks } from './queue-tasks.tsx';

const words = texts.operator.queue;

/** The jobs of the workers and their tasks; a job is retried, a task is paused and resumed. */
export function QueuePage() {
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="stack">
        <Jobs />
        <Tasks />
      </div>
    </Page>
  );
}
