/** What a tab tells the others of this browser, which share its session. */
type Said = 'signed-in' | 'signed-out';

const channel = new BroadcastChannel('payouts-session');

export const tellOtherTabs = (said: Said): void => channel.postMessage(said);

/** Calls a listener whenever another tab says so. @returns ends that */
export function whenOtherTabs(said: Said, listener: () => void): () => void {
  const hear = ({ data }: MessageEvent<Said>) => {
    if (data === said) listener();
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}
