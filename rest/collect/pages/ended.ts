import { html, type Html } from '../../../src/values/html.ts';
import type { FailureKind } from '../failure.ts';
import { layout, type View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';

/** The page after the details were sent: what happens next. It shows nothing of what was sent. */
export function thanksPage(view: View, form: CollectionForm): string {
  const { thanks } = view.texts;
  const content = html`<div class="card outcome good">
    <h1>${thanks.title}</h1>
    <p class="lead">${thanks.lead({ business: form.businessName })}</p>
    <p>${thanks.next}</p>
    <p class="note">${thanks.change({ business: form.businessName })}</p>
  </div>`;
  return layout(view, { title: thanks.title, content, asker: form });
}

/** The page of a link that has ended, and why; the same for everybody who holds it. */
export function endedPage(view: View, form: CollectionForm): string {
  const { ended } = view.texts;
  // A form that was read as live and then refused has expired meanwhile.
  const state = form.state === 'live' ? 'expired' : form.state;
  const { title, text } = ended[state];
  const content = html`<div class="card outcome">
    <h1>${title}</h1>
    <p class="lead">${text({ business: form.businessName })}</p>
    ${state === 'submitted' ? html`<p>${ended.notUs}</p>` : null}
  </div>`;
  return layout(view, { title, content, asker: form });
}

interface Failed {
  readonly kind: FailureKind;
  /** Seconds to wait, where waiting helps. */
  readonly wait: number | null;
  readonly requestId: string;
}

/** `90 s` and more is told in minutes. */
function duration(seconds: number, locale: string): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second'];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locale, style).format(value);
}

/** What went wrong with the request itself. It names nobody: the link may not even exist. */
export function failurePage(view: View, { kind, wait, requestId }: Failed): string {
  const { failure, locale } = view.texts;
  const { title, text } = failure[kind];
  const explained =
    typeof text === 'string' ? text : text({ seconds: duration(wait ?? 60, locale) });
  const reference: Html | null =
    kind === 'ours'
      ? html`<p class="note">${failure.reference}: <code>${requestId}</code></p>`
      : null;
  const content = html`<div class="card outcome">
    <h1>${title}</h1>
    <p class="lead">${explained}</p>
    ${reference}
  </div>`;
  return layout(view, { title, content, asker: null });
}
