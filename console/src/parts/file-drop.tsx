import { useState, type DragEvent } from 'react';
import { Field } from './field.tsx';

interface FileDropProps {
  readonly label: string;
  readonly hint: string;
  /** What is wrong with what was given. */
  readonly fault?: string | null | undefined;
  onFiles(files: readonly File[]): void;
}

/** Takes files that are dropped on it, or chosen by its button: the same with the keyboard. */
export function FileDrop({ label, hint, fault, onFiles }: FileDropProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Field label={label} hint={hint} fault={fault}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="file"
            multiple
            onChange={({ target }) => {
              const chosen = [...(target.files ?? [])];
              // The same file can be chosen again.
              target.value = '';
              if (chosen.length > 0) onFiles(chosen);
            }}
          />
        )}
      </Field>
    </div>
  );
}
