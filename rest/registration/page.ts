import { html, type Html } from '../../src/values/html.ts';
import { attributes } from '../look/attributes.ts';

/** What the page of a link shows, as `registrationProof` answers. */
export interface Proof {
  readonly state: 'live' | 'used' | 'expired' | 'ended';
  readonly kind: 'registered' | 'address' | 'domain';
  readonly email: string;
  readonly companyName: string | null;
  readonly registeredAt: string | null;
  readonly askedCompanyName: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly name: string | null;
    readonly role: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
  }[];
  readonly members: readonly {
    readonly id: string;
    readonly role: string;
    readonly email: string;
  }[];
}

/** Where the pages lead, by the path of PUBLIC_URL. */
export interface Places {
  readonly base: string;
}

/** Frames a page. It loads the style of the other hosted pages and no script. */
function framed({ base }: Places, title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${base}/collect/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${base}/collect/assets/style.css" />
        <link rel="stylesheet" href="${base}/collect/assets/form.css" />
      </head>
      <body>
        <main id="content">
          <div class="card">
            <h1>${title}</h1>
            ${content}
          </div>
        </main>
      </body>
    </html> `.toString();
}

const signIn = ({ base }: Places): Html => html`<a href="${base}/console/sign-in">Sign in</a>`;

/** A page with one sentence, and a way to sign in where that helps. */
export function notePage(places: Places, title: string, text: string, mayEnter = false): string {
  const way = mayEnter ? html`<p>${signIn(places)}</p>` : null;
  return framed(
    places,
    title,
    html`<p class="lead">${text}</p>
      ${way}`,
  );
}

/** A day and a minute, in UTC, since where the reader lives is not known. */
const moment = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

function checkbox(name: string, label: string, about: string): Html {
  return html`<div class="option">
    <input ${attributes({ type: 'checkbox', id: name, name, value: 'yes' })} />
    <label for="${name}"><bdi>${label}</bdi><span class="hint"> ${about}</span></label>
  </div>`;
}

function keyChoices({ keys }: Proof): Html | null {
  if (keys.length === 0) return null;
  const choices = keys.map(({ id, name, role, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? 'never used' : `last used ${moment(lastUsedAt)}`;
    const about = `${role}, made ${moment(createdAt)}, ${used}`;
    return checkbox(`key.${id}`, name === null ? id : `${name} (${id})`, about);
  });
  return html`<fieldset class="field">
    <legend>Which API keys are yours?</legend>
    <p class="hint">
      Keys that you do not tick stop working. You can confirm them later in the console.
    </p>
    <div class="options">${choices}</div>
  </fieldset>`;
}

function memberChoices({ members }: Proof): Html | null {
  if (members.length === 0) return null;
  return html`<fieldset class="field">
    <legend>Which members do you know?</legend>
    <p class="hint">Others lose their access. You can invite them again.</p>
    <div class="options">
      ${members.map(({ id, role, email }) => checkbox(`member.${id}`, email, role))}
    </div>
  </fieldset>`;
}

function form(choice: 'keep' | 'take', label: string, content: Html | null): Html {
  return html`<form method="post">
    <input type="hidden" name="choice" value="${choice}" />
    ${content}
    <p><button type="submit">${label}</button></p>
  </form>`;
}

function keepForm(proof: Proof): Html {
  const registered = proof.registeredAt === null ? '' : ` on ${moment(proof.registeredAt)}`;
  return html`<h2>It is mine</h2>
    <p>
      <strong><bdi>${proof.companyName ?? ''}</bdi></strong> was registered with the address
      <strong><bdi>${proof.email}</bdi></strong
      >${registered}. You become its owner, and nobody else can claim the address.
    </p>
    ${form('keep', 'Confirm this address', html`${keyChoices(proof)}${memberChoices(proof)}`)}`;
}

function takeForm(proof: Proof): Html {
  const ended =
    proof.kind === 'address'
      ? html`<p>
          <bdi>${proof.companyName ?? ''}</bdi> ends: its API keys and members lose their access,
          and its webhooks and the links of its payees end.
        </p>`
      : html`<p>
          Another registration has named the domain and was not proven. It loses the domain. A
          colleague of yours may have made it; then ask them for an invitation instead.
        </p>`;
  return html`<h2>${proof.kind === 'address' ? 'It is not mine' : 'Register'}</h2>
    <p>
      Register <strong><bdi>${proof.askedCompanyName ?? ''}</bdi></strong> with the address
      <strong><bdi>${proof.email}</bdi></strong
      >.
    </p>
    ${ended} ${form('take', 'Register and take it over', null)}`;
}

const endings: Readonly<Record<Exclude<Proof['state'], 'live'>, string>> = {
  used: 'This link was used. It works once.',
  expired: 'The time of this link is over. Sign in, or register again for another one.',
  ended: 'The address was proven with another link, or by signing in.',
};

const domainProven =
  'Somebody else has proven an address of the domain. Ask them for an invitation.';

/** The page of a link: whom and what it is about, and a button for what it does. */
export function proofPage(places: Places, proof: Proof): string {
  if (proof.state !== 'live') {
    const { state, kind } = proof;
    const why = state === 'ended' && kind === 'domain' ? domainProven : endings[state];
    return notePage(places, 'This link does nothing any more', why, true);
  }
  const content = html`${proof.kind === 'domain' ? null : keepForm(proof)}
    ${proof.kind === 'registered' ? null : takeForm(proof)}
    <p class="note">If you know nothing of this, close the page. Nothing happens.</p>`;
  return framed(places, 'Confirm your address', content);
}

/** After the button: what holds now, and the key of a business that was made by it. */
export function provenPage(places: Places, key: string | null): string {
  const shown =
    key === null
      ? html`<p>
          Keys that you did not confirm do not work. The console lists them under API keys. Webhooks
          are disabled until you enable them, and a profile that was submitted waits until you
          submit it again.
        </p>`
      : html`<p>Your sandbox API key. It is shown only here:</p>
          <p><code>${key}</code></p>`;
  return framed(
    places,
    'Your address is confirmed',
    html`<p class="lead">The registration is yours.</p>
      ${shown}
      <p>${signIn(places)}</p>`,
  );
}
