import { contactHref, isPage } from '../../src/values/contact.ts';
import { html, type Html } from '../../src/values/html.ts';
import { attributes } from '../look/attributes.ts';
import { languages, type Language } from './languages.ts';
import type { Links } from './links.ts';
import type { Branding, Company } from './operations.ts';
import type { Texts } from './texts/texts.gen.ts';

/** What every page is drawn with. */
export interface View {
  readonly language: Language;
  readonly texts: Texts;
  readonly links: Links;
}

/** Who asks; a page that must not tell has none. */
export interface Asker {
  readonly businessName: string;
  readonly company: Company | null;
  readonly branding: Branding;
  readonly environment: 'sandbox' | 'production';
}

interface CollectPage {
  readonly title: string;
  readonly content: Html;
  readonly asker: Asker | null;
  /** Whether the page shows faults of what was entered; its title then begins so. */
  readonly faulty?: boolean;
}

const lock = html`<svg
  class="lock"
  viewBox="0 0 16 16"
  width="16"
  height="16"
  aria-hidden="true"
  focusable="false"
>
  <path
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    d="M4.75 7V5a3.25 3.25 0 0 1 6.5 0v2"
  />
  <rect fill="currentColor" x="2.75" y="7" width="10.5" height="7.25" rx="1.75" />
</svg>`;

function languageSwitch({ language, texts, links }: View): Html {
  const entries = Object.entries(languages).map(
    ([code, { name, locale }]) =>
      html`<li>
        <a
          ${attributes({
            href: links.inLanguage(code as Language),
            lang: locale,
            hreflang: locale,
            'aria-current': code === language ? 'true' : null,
          })}
          >${name}</a
        >
      </li>`,
  );
  return html`<nav class="languages" aria-label="${texts.frame.language}">
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

/** The first letter or sign of a name, as a mark beside it. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.replace(/^[^\p{L}\p{N}]+/u, ''));
  return (first?.segment ?? '·').toLocaleUpperCase();
}

/** Which company the name stands for, so that a payee can look it up in a register. */
function registered(company: Company, texts: Texts): Html {
  const { legalName, registrationNumber, country } = company;
  const place =
    country === null ? null : new Intl.DisplayNames([texts.locale], { type: 'region' }).of(country);
  const parts = [legalName, registrationNumber, place].flatMap((part) =>
    part === null || part === undefined ? [] : [part],
  );
  return html`<p class="registered">
    ${texts.frame.registered}
    ${parts.map((part, i) => html`${i === 0 ? null : ' · '}<bdi>${part}</bdi>`)}
  </p>`;
}

/** The logo, or the first letter in its place. The name follows, so the logo says nothing more. */
function markOf({ businessName, branding: { logo } }: Asker, links: Links): Html {
  if (logo === null) {
    return html`<span class="mark" aria-hidden="true">${initialOf(businessName)}</span>`;
  }
  const { width, height } = logo;
  const look = { class: 'logo', src: links.logo(logo.digest), width, height };
  return html`<img ${attributes(look)} alt="" />`;
}

function askerBar(asker: Asker, { texts, links }: View): Html {
  const { businessName, company, environment } = asker;
  const banner = html`<p class="sandbox">
    <strong>${texts.frame.sandbox}.</strong> ${texts.frame.sandboxMeaning}
  </p>`;
  return html`${environment === 'sandbox' ? banner : null}
    <p class="asker">
      ${markOf(asker, links)}
      <bdi>${businessName}</bdi>
    </p>
    ${company === null ? null : registered(company, texts)}`;
}

/** A link out of the form; its own address, with the token, is told to nobody. */
function outwards(href: string, text: string): Html {
  return html`<a href="${href}" rel="noreferrer noopener" target="_blank">${text}</a>`;
}

/** Whom a reader can ask, and how the business handles data. */
function footer({ supportContact, privacyUrl }: Branding, { frame }: Texts): Html | null {
  const help =
    supportContact === null
      ? null
      : html`<p>
          ${frame.questions}
          ${
            isPage(supportContact)
              ? outwards(supportContact, new URL(supportContact).host)
              : html`<a href="${contactHref(supportContact)}">${supportContact}</a>`
          }
        </p>`;
  const notice =
    privacyUrl === null ? null : html`<p>${outwards(privacyUrl, frame.privacyNotice)}</p>`;
  return help === null && notice === null ? null : html`<footer>${help} ${notice}</footer>`;
}

/** Frames a page. Only its own style sheets, script and icon are loaded (see `collectHeaders`). */
export function layout(view: View, { title, content, asker, faulty }: CollectPage): string {
  const { texts, links } = view;
  const start = faulty === true ? `${texts.frame.errorPrefix}: ` : '';
  const named = asker === null || title.includes(asker.businessName);
  const color = asker?.branding.color ?? null;
  const end = named ? '' : ` – ${asker.businessName}`;
  return html`<!doctype html>
    <html lang="${texts.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <title>${start}${title}${end}</title>
        <link rel="icon" href="${links.asset('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${links.asset('style.css')}" />
        <link rel="stylesheet" href="${links.asset('form.css')}" />
        ${color === null ? null : html`<link rel="stylesheet" href="${links.brand(color)}" />`}
        <script type="module" src="${links.asset('form.js')}"></script>
      </head>
      <body>
        <a class="skip" href="#content">${texts.frame.skip}</a>
        <header>
          <p class="secure">${lock} ${texts.frame.secure}</p>
          ${languageSwitch(view)}
        </header>
        <main id="content" tabindex="-1">
          ${asker === null ? null : askerBar(asker, view)} ${content}
        </main>
        ${asker === null ? null : footer(asker.branding, texts)}
      </body>
    </html> `.toString();
}

/**
 * The sentence beside each form that says who receives what is entered; the reader can open the rest.
 */
export function privacy({ texts }: View, businessName: string): Html {
  return html`<details class="privacy">
    <summary>${lock} ${texts.frame.privacyLine({ business: businessName })}</summary>
    <div>
      <h2>${texts.use.title}</h2>
      ${useOfData(texts, businessName)}
    </div>
  </details>`;
}

/** How the data is used. */
export function useOfData(texts: Texts, businessName: string): Html {
  return html`<ul class="plain">
    <li>${texts.use.encrypted}</li>
    <li>${texts.use.whoGets({ business: businessName })}</li>
    <li>${texts.use.purpose}</li>
  </ul>`;
}
