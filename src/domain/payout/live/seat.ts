import { isAfter, type LiveTransition, type TransitionCursor } from './rows.ts';

/** Transitions that wait for one stream. One that falls further behind reads again for itself. */
const mostWaiting = 1_000;

/** What a seat tells next. */
export type SeatMessage =
  | { readonly kind: 'transition'; readonly live: LiveTransition }
  /** Nothing has happened for a while; everything before `at` was told. */
  | { readonly kind: 'quiet'; readonly at: string }
  /** More came than may wait: what follows the last transition has to be read again. */
  | { readonly kind: 'behind' };

/** A stream's place in a feed: where its transitions wait until it takes them. */
export class Seat {
  readonly tenantId: string;
  readonly credentialId: string;
  #waiting: LiveTransition[] = [];
  #at = '';
  #behind = false;
  #end: Error | null = null;
  #joined: ((at: string) => void) | null = null;
  #refused: ((reason: Error) => void) | null = null;
  #wake: (() => void) | null = null;

  constructor(tenantId: string, credentialId: string) {
    this.tenantId = tenantId;
    this.credentialId = credentialId;
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** When the feed first includes this seat: everything recorded from then on will come. */
  joined(): Promise<string> {
    if (this.#end !== null) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#joined = resolve;
      this.#refused = reject;
    });
  }

  /** For the feed: from `at` on, this seat gets every transition. */
  join(at: string): void {
    this.#waiting = [];
    this.#behind = false;
    this.#at = at;
    this.#joined?.(at);
  }

  /** For the feed: what the tenant's payouts did until `at`. */
  give(found: readonly LiveTransition[], at: string): void {
    this.#at = at;
    if (this.#behind) return;
    if (this.#waiting.length + found.length > mostWaiting) {
      this.#waiting = [];
      this.#behind = true;
    } else this.#waiting.push(...found);
    if (found.length > 0) this.#wake?.();
  }

  /** Ends the seat for a reason, which its stream throws. What waits is not told. */
  end(reason: Error): void {
    this.#end ??= reason;
    this.#waiting = [];
    this.#refused?.(this.#end);
    this.#wake?.();
  }

  /**
   * What comes next after a place, or after `quietMs` milliseconds in which nothing came. Throws the reason
   * for which the seat has ended.
   */
  async next(after: TransitionCursor, quietMs: number): Promise<SeatMessage> {
    for (let waited = false; ; waited = true) {
      if (this.#end !== null) throw this.#end;
      if (this.#behind) return { kind: 'behind' };
      const live = this.#waiting.shift();
      // A transition may have been read by the stream itself while it caught up.
      if (live !== undefined && isAfter(live.place, after)) return { kind: 'transition', live };
      if (live !== undefined) continue;
      if (waited) return { kind: 'quiet', at: this.#at };
      await this.#pause(quietMs);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
