import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { offerFile } from '../../parts/offer-file.ts';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { bankBatchDownloadDocument } from '../../../../generated/console-types/pages/operator/banks.ts';

const words = texts.operatorBanks.step;

const damaged: Fault = {
  code: 'unknown',
  title: words.damagedTitle,
  text: words.damaged,
  details: [],
  requestId: null,
};

/** In hexadecimal digits. */
const sha256Of = async (content: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', content))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** Downloads the file of a batch; one whose SHA-256 is not the fixed one is not handed to the reader. */
export function useBatchDownload() {
  const command = useAct(bankBatchDownloadDocument);
  const [fault, setFault] = useState<Fault | null>(null);
  return {
    ...command,
    fault: command.fault ?? fault,
    forget() {
      setFault(null);
      command.forget();
    },
    async act(variables: Parameters<typeof command.act>[0]) {
      setFault(null);
      const data = await command.act(variables);
      const file = data?.operatorBankBatchDownload;
      if (!file) return null;
      const content = Uint8Array.from(atob(file.contentBase64), (byte) => byte.charCodeAt(0));
      if ((await sha256Of(content)) !== file.sha256) {
        setFault(damaged);
        return null;
      }
      offerFile(file.fileName, content, 'application/octet-stream');
      return data;
    },
  };
}
