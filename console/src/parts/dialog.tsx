import { useEffect, useId, useRef, type ReactNode } from 'react';
import { StaleLine } from './stale.tsx';

interface DialogProps {
  readonly title: string;
  /** Whether it holds a table. */
  readonly wide?: boolean;
  /** Whether nothing of the page is seen behind it. */
  readonly covers?: boolean;
  readonly open: boolean;
  /** The reader closed it, by Escape too. Absent for one that cannot be closed. */
  onClose?(): void;
  readonly children: ReactNode;
}

/**
 * A modal dialog of the platform: it holds the focus, Escape closes it, and the focus returns to what opened
 * it. Its content exists only while it is open, so that it begins anew each time.
 */
export function Dialog(props: DialogProps) {
  const { title, wide = false, covers = false, open, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (open && element !== null && !element.open) element.showModal();
    if (!open) element?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-wide={wide}
      data-covers={covers}
      aria-labelledby={titleId}
      onClose={onClose ?? (() => dialog.current?.showModal())}
    >
      {open && (
        <div className="stack">
          <h2 id={titleId}>{title}</h2>
          {!covers && <StaleLine />}
          {children}
        </div>
      )}
    </dialog>
  );
}
