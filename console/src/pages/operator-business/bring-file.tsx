import { useState } from 'react';
import { operatorBankFileTakeDocument } from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { Reason } from './reason.tsx';

const words = texts.operatorBusiness.bring;

/** The service takes no larger one in a request. */
const largest = 15 * 1_024 * 1_024;

interface BringProps {
  readonly businessId: string;
  readonly environment: 'sandbox' | 'production';
  readonly connectionId: string;
  onDone(): void;
}

/** What became of a file that was brought. */
interface Brought {
  readonly name: string;
  readonly what: 'taken' | 'known' | 'waits';
}

/** Brings status files and statements of a bank: dropped, told why, and sent one after the other. */
export function BringFile({ businessId, environment, connectionId, onDone }: BringProps) {
  const { act, busy, fault } = useAct(operatorBankFileTakeDocument);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [brought, setBrought] = useState<readonly Brought[]>([]);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const choose = (given: readonly File[]) => {
    const large = given.find(({ size }) => size > largest);
    setTooLarge(large?.name ?? null);
    setFiles(given.filter(({ size }) => size <= largest));
    setBrought([]);
  };
  const send = async (reason: string) => {
    for (const [index, file] of files.entries()) {
      const contentBase64 = await base64Of(file);
      const order = {
        businessId,
        environment,
        connectionId,
        name: file.name,
        contentBase64,
        reason,
      };
      const taken = (await act(order))?.operatorBankFileTake;
      if (taken === null || taken === undefined) {
        // What was not taken stays, to be sent again.
        setFiles(files.slice(index));
        return;
      }
      const what = !taken.news ? 'known' : taken.waits ? 'waits' : 'taken';
      setBrought((before) => [...before, { name: file.name, what }]);
    }
    setFiles([]);
    announce(words.done({ count: files.length }));
    onDone();
  };
  return (
    <Card title={words.title}>
      <form
        className="stack form-page"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send(valuesOf(event.currentTarget)('reason'));
        }}
      >
        <FileDrop
          label={words.drop}
          hint={words.hint}
          fault={tooLarge === null ? null : words.tooLarge({ name: tooLarge })}
          onFiles={choose}
        />
        {files.length > 0 && (
          <>
            <ul className="plain">
              {files.map(({ name }) => (
                <li key={name}>
                  <code>{name}</code>
                </li>
              ))}
            </ul>
            <Reason />
            <div className="row">
              <Button type="submit" kind="primary" busy={busy}>
                {words.send({ count: files.length })}
              </Button>
            </div>
          </>
        )}
        <FaultNote fault={fault} />
        {brought.map(({ name, what }) => (
          <Note key={name} tone={what === 'waits' ? 'wait' : 'good'}>
            <code>{name}</code> {words.outcomes[what]}
          </Note>
        ))}
      </form>
    </Card>
  );
}

/** The bytes of a file in base64, by the browser's own reader, which takes 15 MiB at once. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
