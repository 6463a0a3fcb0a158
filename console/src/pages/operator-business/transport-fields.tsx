import type { OperatorBankTransportInput } from '../../../../generated/console-types/graphql.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import type { FormValues } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.operatorBusiness.connect;

export type TransportKind = OperatorBankTransportInput['kind'];

interface TransportProps {
  readonly kind: TransportKind;
  onKind(kind: TransportKind): void;
}

/** How files go to the bank and come back, with what each way needs. */
export function TransportFields({ kind, onKind }: TransportProps) {
  return (
    <fieldset className="route">
      <legend>{words.transport}</legend>
      <Choice
        label={words.kind}
        options={texts.operatorBanks.connections.ways}
        value={kind}
        onChange={(chosen) => onKind(chosen ?? 'sftp')}
      />
      {kind === 'sftp' && <SftpFields />}
      {kind === 'folder' && <TextField label={words.folder} name="folder" required />}
    </fieldset>
  );
}

function SftpFields() {
  return (
    <>
      <div className="columns">
        <TextField label={words.host} name="host" required />
        <TextField label={words.port} name="port" type="number" required defaultValue={22} />
        <TextField label={words.username} name="username" autoComplete="off" required />
        <TextField label={words.hostKey} name="hostKey" hint={words.hostKeyHint} required />
        <TextField label={words.outFolder} name="outFolder" required />
        <TextField label={words.inFolder} name="inFolder" required />
      </div>
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="off"
        hint={words.secret}
      />
      <Field label={words.privateKey} hint={words.secret}>
        {(field) => <textarea {...field} className="input" name="privateKey" autoComplete="off" />}
      </Field>
      <TextField label={words.passphrase} name="passphrase" type="password" autoComplete="off" />
    </>
  );
}

/** What the fields of the chosen way hold. */
export function transportOf(kind: TransportKind, given: FormValues): OperatorBankTransportInput {
  if (kind === 'manual') return { kind };
  if (kind === 'folder') return { kind, folder: given('folder') };
  const secret = (name: 'password' | 'privateKey' | 'passphrase') =>
    given(name) === '' ? {} : { [name]: given(name) };
  return {
    kind,
    host: given('host'),
    port: Number(given('port')),
    username: given('username'),
    hostKey: given('hostKey'),
    outFolder: given('outFolder'),
    inFolder: given('inFolder'),
    ...secret('password'),
    ...secret('privateKey'),
    ...secret('passphrase'),
  };
}
