import { useMay } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { Checked } from './checked.tsx';
import { ChooseFile } from './choose-file.tsx';
import { useImport } from './use-import.ts';

const words = texts.import;

/** Makes up to a thousand payouts of a file, each row checked before anything is made. */
export function ImportPage() {
  const mayMake = useMay('payouts:write');
  const { state, choose, create, restart } = useImport();
  return (
    <Page title={words.title} lead={words.lead}>
      {!mayMake ? (
        <Note>{words.mayNot}</Note>
      ) : state.step === 'choose' ? (
        <ChooseFile problem={state.problem} fault={state.fault} onChoose={choose} />
      ) : state.step === 'checking' ? (
        <Card>
          <p role="status">{words.checking}</p>
          <Loading lines={6} />
        </Card>
      ) : (
        <Checked state={state} onCreate={() => void create()} onRestart={restart} />
      )}
    </Page>
  );
}
