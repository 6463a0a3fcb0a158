import { Router } from 'express';
import { catalogue } from '../../src/errors/catalogue.ts';
import { escapeHtml } from '../../src/values/html.ts';

/** The error reference, made from the catalogue: every `docs_url` lands on an anchor of it. */
function errorPage(): string {
  const sections = Object.entries(catalogue).map(
    ([code, entry]) => `
    <section id="${escapeHtml(code)}">
      <h2><a href="#${escapeHtml(code)}"><code>${escapeHtml(code)}</code></a></h2>
      <p><strong>HTTP ${entry.status}.</strong> ${escapeHtml(entry.meaning)}</p>
      <p>How to resolve it: ${escapeHtml(entry.resolution)}</p>
    </section>`,
  );
  return documentPage(
    'Error reference',
    `<p>Every answer that is not a success has an <code>error.code</code> of this list. Codes are stable; messages may change.</p>
    ${sections.join('')}`,
  );
}

/** Where a reader of this server's documents begins. */
function indexPage(): string {
  return documentPage(
    'Payouts API',
    `<p>REST is under <code>/v1</code>, GraphQL at <code>/graphql</code>. Both take the same keys: <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
    <ul>
      <li><a href="/v1/openapi.json">OpenAPI 3.1 document</a>: every operation, what it takes, answers and refuses.</li>
      <li><a href="/docs/errors">Error reference</a>: every code, what it means and how to resolve it.</li>
    </ul>`,
  );
}

function documentPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="/docs/style.css">
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 1rem; }
main { max-width: 46rem; margin: 0 auto; }
h2 { font-size: 1.05rem; margin: 2rem 0 0.25rem; overflow-wrap: anywhere; }
h2 a { color: inherit; }
p { margin: 0.25rem 0; }
section:target { outline: 2px solid; outline-offset: 0.5rem; }`;

export function createDocs(): Router {
  const router = Router();
  const pages = { '/': indexPage(), '/errors': errorPage() };
  for (const [path, page] of Object.entries(pages)) {
    router.get(path, (_request, response) => {
      response.type('html').send(page);
    });
  }
  router.get('/style.css', (_request, response) => {
    response.type('css').send(style);
  });
  return router;
}
