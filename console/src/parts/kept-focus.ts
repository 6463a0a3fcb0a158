import { useEffect, type RefObject } from 'react';

/** What has the focus, and what is around it: what is gone knows its place no more. */
interface HeldFocus {
  readonly element: HTMLElement;
  readonly row: { readonly rows: Element; readonly place: number } | null;
  readonly card: Element | null;
}

/** Pages that know better where it belongs move the focus first. */
const patienceMs = 50;

/**
 * Keeps the focus in a page when what had it is gone, such as the button of a row that leaves its list after it was acted
 * on: it goes to what stands in its place, and else to the nearest heading, so that nobody begins at the top of the window
 * again. A reader who left it for nothing by themselves, by a click beside everything, is left alone.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current;
    if (root === null) return undefined;
    let held: HeldFocus | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hold = ({ target }: FocusEvent) => {
      // A dialog gives the focus back to what opened it.
      if (target instanceof HTMLElement && target.closest('dialog') === null) held = heldBy(target);
    };
    const leave = ({ target }: FocusEvent) => {
      setTimeout(() => {
        if (target !== held?.element || !held.element.isConnected) return;
        if (document.activeElement === document.body) held = null;
      });
    };
    const look = () => {
      if (held === null || held.element.isConnected) return;
      if (document.activeElement !== document.body) return;
      const heir = inPlaceOf(held, root);
      held = null;
      if (heir === null) return;
      if (heir.tabIndex < 0) heir.tabIndex = -1;
      heir.focus();
    };
    const watcher = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(look, patienceMs);
    });
    root.addEventListener('focusin', hold);
    root.addEventListener('focusout', leave);
    watcher.observe(root, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      watcher.disconnect();
      root.removeEventListener('focusin', hold);
      root.removeEventListener('focusout', leave);
    };
  }, [page]);
}

function heldBy(element: HTMLElement): HeldFocus {
  const row = element.closest('[data-row]');
  const rows = row?.parentElement ?? null;
  return {
    element,
    row: row === null || rows === null ? null : { rows, place: [...rows.children].indexOf(row) },
    card: element.closest('.card'),
  };
}

/** The field of the same name, the row in the same place or the last one, the heading of the card, or that of the page. */
function inPlaceOf({ element, row, card }: HeldFocus, root: HTMLElement): HTMLElement | null {
  const name = element.getAttribute('name');
  const field =
    name === null ? null : root.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
  if (field !== null) return field;
  if (row?.rows.isConnected === true) {
    const next = row.rows.children[row.place] ?? row.rows.lastElementChild;
    const control =
      next?.querySelector<HTMLElement>(element.tagName) ??
      next?.querySelector<HTMLElement>('a, button');
    if (control) return control;
  }
  const around = card?.isConnected === true ? card.querySelector<HTMLElement>('h2') : null;
  return around ?? root.querySelector<HTMLElement>('h1');
}
