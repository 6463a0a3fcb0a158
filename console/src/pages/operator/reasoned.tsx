import { useRef, type ReactNode } from 'react';
import type { Act } from '../../app/use-act.ts';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { texts } from '../../texts/texts.ts';

interface ReasonedProps<Data, Variables> {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly open: boolean;
  readonly command: Act<Data, Variables>;
  readonly children?: ReactNode;
  /** The variables of the command, with the reason that was given. */
  variables(reason: string): Variables;
  /** What is said when it is done. */
  said?(data: Data): string;
  onClose(): void;
  onDone(): void;
}

/** Asks an operator for the reason of a command, which the record keeps, and runs it. */
export function Reasoned<Data, Variables>(props: ReasonedProps<Data, Variables>) {
  const { command, variables, said, onClose, onDone, children, ...dialog } = props;
  // A command may take seconds, and the reader may have closed its dialog and opened that of another row meanwhile.
  const closed = useRef(0);
  const close = () => {
    closed.current += 1;
    command.forget();
    onClose();
  };
  const confirm = async (reason: string | null) => {
    const before = closed.current;
    const data = await command.act(variables(reason ?? ''));
    const isShown = closed.current === before;
    if (data === null) {
      if (isShown) return;
      command.forget();
      announce(texts.operator.refused);
      return;
    }
    announce(said?.(data) ?? texts.operator.done);
    if (isShown) close();
    onDone();
  };
  return (
    <ReasonDialog
      {...dialog}
      required
      busy={command.busy}
      fault={<FaultNote fault={command.fault} />}
      onClose={close}
      onConfirm={(reason) => void confirm(reason)}
    >
      {children}
    </ReasonDialog>
  );
}
