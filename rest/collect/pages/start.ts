import { html, type Html } from '../../../src/values/html.ts';
import { layout, useOfData, type View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';
import { isGiven, nextMissing, stepsOf } from '../steps.ts';
import type { Texts } from '../texts/texts.gen.ts';

function askedFor({ scope, beneficiaryType }: CollectionForm, { start }: Texts): string[] {
  switch (scope) {
    case 'full_onboarding':
      return [
        beneficiaryType === 'person' ? start.askedPerson : start.askedBusiness,
        start.askedAddress,
        start.askedBank,
      ];
    case 'bank_details':
      return [start.askedBank];
    case 'tax_documents':
      return [start.askedTaxId, start.askedFile];
  }
}

/** A moment in the page's language. It is UTC until the script puts it into the reader's own time. */
function moment(iso: string, locale: string): Html {
  const text = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(iso));
  return html`<time datetime="${iso}">${text}</time>`;
}

/** The first page: who asks, for what, how the data is used and how long the link works. */
export function startPage(view: View, form: CollectionForm): string {
  const { texts, links } = view;
  const { businessName, scope } = form;
  const begun = stepsOf(form).some((step) => isGiven(form, step));
  const content = html`<h1>${texts.start.title[scope]({ business: businessName })}</h1>
    <p class="lead">${texts.start.lead[scope]({ business: businessName })}</p>
    <div class="card">
      <section>
        <h2>${texts.start.asked}</h2>
        <ul class="asked">
          ${askedFor(form, texts).map((text) => html`<li>${text}</li>`)}
        </ul>
      </section>
      <section>
        <h2>${texts.use.title}</h2>
        ${useOfData(texts, businessName)}
      </section>
      <p class="actions">
        <a class="button" href="${links.page(nextMissing(form))}"
          >${begun ? texts.start.resume : texts.start.begin}</a
        >
      </p>
      <p class="note">${texts.start.until} ${moment(form.expiresAt, texts.locale)}.</p>
    </div>
    <p class="note">${texts.start.unexpected({ business: businessName })}</p>`;
  return layout(view, {
    title: texts.start.title[scope]({ business: businessName }),
    content,
    asker: form,
  });
}
