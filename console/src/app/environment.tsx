import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { announce } from '../parts/live.tsx';
import { FaultNote } from '../parts/note.tsx';
import { texts } from '../texts/texts.ts';
import { faultOf } from '../values/fault.ts';
import { sessionSwitchDocument } from '../../../generated/console-types/app/session.ts';
import { businessOf, useSession, type Viewer } from './session.ts';

const words = texts.environment;

/** Says above every page in which environment the session works, and changes it by a click. */
export function EnvironmentBanner() {
  const { viewer } = useSession();
  const { environment } = viewer;
  if (environment === null || environment === undefined) {
    return <Banner kind="operator" name={words.operator} note={words.operatorNote} />;
  }
  const note = environment === 'sandbox' ? words.sandboxNote : words.productionNote;
  return (
    <Banner kind={environment} name={words[environment]} note={note}>
      <SwitchButton environment={environment} viewer={viewer} />
    </Banner>
  );
}

interface BannerProps {
  readonly kind: 'sandbox' | 'production' | 'operator';
  readonly name: string;
  readonly note: string;
  readonly children?: ReactNode;
}

function Banner({ kind, name, note, children }: BannerProps) {
  return (
    <section className="environment" data-environment={kind} aria-label={name}>
      <strong>{name}</strong>
      <span>{note}</span>
      {children}
    </section>
  );
}

interface SwitchProps {
  readonly environment: 'sandbox' | 'production';
  readonly viewer: Viewer;
}

function SwitchButton({ environment, viewer }: SwitchProps) {
  const { renew } = useSession();
  const [{ error }, switchTo] = useMutation(sessionSwitchDocument);
  const [busy, setBusy] = useState(false);
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const business = businessOf(viewer);
  if (business === undefined || !business.environments.includes(other)) return null;
  const change = async () => {
    if (busy) return;
    setBusy(true);
    const refused = await switchTo({ environment: other, businessId: business.businessId });
    setBusy(false);
    if (refused.error !== undefined) return;
    announce(words.switched({ name: words[other] }));
    renew();
  };
  return (
    <>
      <button type="button" onClick={() => void change()} aria-disabled={busy}>
        {other === 'sandbox' ? words.toSandbox : words.toProduction}
      </button>
      {error && <FaultNote fault={faultOf(error)} />}
    </>
  );
}
