import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'plain' | 'usual';
  /** The action runs: the button keeps the focus and does nothing. */
  readonly busy?: boolean;
}

/** A button. One that is busy stays focusable, so that the focus is not lost while an action runs. */
export function Button({
  kind = 'usual',
  busy = false,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className="button"
      data-kind={kind}
      aria-disabled={busy || rest.disabled}
      onClick={busy ? undefined : onClick}
    />
  );
}
