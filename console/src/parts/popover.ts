/** Places a popover below what opened it, or above where it does not fit below, and inside the window. */
export function placeBelow(opener: HTMLElement | null, popover: HTMLElement | null): void {
  if (opener === null || popover === null) return;
  const from = opener.getBoundingClientRect();
  const left = Math.min(from.left, innerWidth - popover.offsetWidth - 8);
  popover.style.left = `${Math.max(8, left)}px`;
  const below = from.bottom + 4;
  const fits = below + popover.offsetHeight <= innerHeight - 8;
  const top = fits ? below : from.top - 4 - popover.offsetHeight;
  popover.style.top = `${Math.max(8, top)}px`;
}
