import { useId, useRef, type ReactNode, type ToggleEvent } from 'react';
import { placeBelow } from './popover.ts';

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
    if (newState === 'open') placeBelow(button.current, currentTarget);
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
