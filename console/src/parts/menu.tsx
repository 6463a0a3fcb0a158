import { useId, useRef, type ReactNode, type ToggleEvent } from 'react';

interface MenuProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/**
 * A popover of the platform below its button, or above it where it does not fit below. Escape, a click elsewhere and the choice of a command close it;
 * checkboxes leave it open, so that several can be chosen.
 */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ currentTarget, newState }: ToggleEvent<HTMLDivElement>) => {
    const from = button.current?.getBoundingClientRect();
    if (newState !== 'open' || from === undefined) return;
    const left = Math.min(from.left, innerWidth - currentTarget.offsetWidth - 8);
    currentTarget.style.left = `${Math.max(8, left)}px`;
    const below = from.bottom + 4;
    const fits = below + currentTarget.offsetHeight <= innerHeight - 8;
    const top = fits ? below : from.top - 4 - currentTarget.offsetHeight;
    currentTarget.style.top = `${Math.max(8, top)}px`;
  };
  const closeAfterCommand = (menu: HTMLDivElement) => {
    const close = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('button, a') !== null) menu.hidePopover();
    };
    menu.addEventListener('click', close);
    return () => menu.removeEventListener('click', close);
  };
  return (
    <>
      <button ref={button} type="button" className="button" popoverTarget={id}>
        {label}
      </button>
      <div ref={closeAfterCommand} id={id} className="menu" popover="auto" onToggle={place}>
        {children}
      </div>
    </>
  );
}
