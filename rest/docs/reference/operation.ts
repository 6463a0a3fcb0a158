import { html, type Html } from '../../../src/values/html.ts';
import { codeBlock } from '../highlight.ts';
import { renderText } from '../markdown.ts';
import { curlOf } from './curl.ts';
import {
  resolve,
  type ApiOperation,
  type ApiResponse,
  type Content,
  type Method,
  type Parameter,
} from './document.ts';
import { errorCodesOf } from './errors.ts';
import { samplesOf, sampleText } from './sample.ts';
import { contents, parameterList, typeText, type Drawing } from './schema.ts';

/** An operation with its place: `POST /v1/payouts`, or the event of a webhook. */
export interface Placed {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly operation: ApiOperation;
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

const isSuccess = (status: string): boolean => /^[23]/.test(status);

function parametersOf(drawing: Drawing, all: readonly Parameter[]): Html {
  const sections = Object.entries(places).flatMap(([place, title]) => {
    const those = all.filter((parameter) => parameter.in === place);
    return those.length === 0
      ? []
      : [
          html`<h3>${title}</h3>
            ${parameterList(drawing, those)}`,
        ];
  });
  return html`${sections}`;
}

/** What a body holds, for each media type that has a shape of its own. */
function bodyOf(drawing: Drawing, content: Content): Html {
  const types = Object.entries(content).map(([type, { schema }]) => {
    const inner = schema === undefined ? null : contents(drawing, schema);
    const text = schema === undefined ? null : resolve(drawing.document, schema).description;
    const kind = schema === undefined ? '' : typeText(drawing.document, schema);
    return html`<p class="media"><code>${type}</code>${inner === null ? html` ${kind}` : null}</p>
      ${text === undefined || text === null ? null : renderText(text, drawing.links)} ${inner}`;
  });
  return html`${types}`;
}

function requestOf(drawing: Drawing, { requestBody }: ApiOperation): Html | null {
  if (requestBody === undefined) return null;
  const { content = {}, required, description } = resolve(drawing.document, requestBody);
  return html`<h3>Body ${required === true ? null : html`<span class="type">optional</span>`}</h3>
    ${description === undefined ? null : renderText(description, drawing.links)}
    ${bodyOf(drawing, content)}`;
}

function answerOf(drawing: Drawing, status: string, response: ApiResponse): Html {
  const { description = '', content = {} } = response;
  const inner = Object.keys(content).length === 0 ? null : bodyOf(drawing, content);
  return html`<li class="answer">
    <div class="named"><code class="status">${status}</code></div>
    ${renderText(description, drawing.links)}
    ${
      inner === null
        ? null
        : html`<details class="inner">
            <summary>Fields of the answer</summary>
            ${inner}
          </details>`
    }
  </li>`;
}

function errorRow(drawing: Drawing, status: string, response: ApiResponse): Html {
  const codes = errorCodesOf(drawing.document, response);
  const list = codes.map(
    (code) =>
      html`<li>
        <a href="/docs/errors#${code}"><code>${code}</code></a>
      </li>`,
  );
  return html`<li class="answer">
    <div class="named"><code class="status bad">${status}</code></div>
    ${
      codes.length === 0
        ? renderText(response.description ?? '', drawing.links)
        : html`<ul class="values">
            ${list}
          </ul>`
    }
  </li>`;
}

function answers(drawing: Drawing, operation: ApiOperation): Html {
  const all = Object.entries(operation.responses ?? {}).map(
    ([status, response]) => [status, resolve(drawing.document, response)] as const,
  );
  const good = all.filter(([status]) => isSuccess(status));
  const bad = all.filter(([status]) => !isSuccess(status));
  return html`<h3>Answers</h3>
    <ul class="answers">
      ${good.map(([status, response]) => answerOf(drawing, status, response))}
    </ul>
    ${
      bad.length === 0
        ? null
        : html`<details class="errors">
            <summary>Errors</summary>
            <ul class="answers">
              ${bad.map(([status, response]) => errorRow(drawing, status, response))}
            </ul>
          </details>`
    }`;
}

/** Samples of bodies: the first is open, the others can be opened. */
function sampleBlocks(drawing: Drawing, label: string, content: Content): readonly Html[] {
  return Object.entries(content).flatMap(([type, media]) =>
    samplesOf(drawing.document, media, 'all').map(({ name, value }) => {
      const language = /\bjson\b/.test(type) ? 'json' : 'text';
      const title = name === null ? label : `${label}: ${name}`;
      return codeBlock(language, sampleText(type, value), title);
    }),
  );
}

const shownSamples = 2;

function folded(blocks: readonly Html[]): Html {
  const rest = blocks.slice(shownSamples);
  return html`${blocks.slice(0, shownSamples)}
  ${
    rest.length === 0
      ? null
      : html`<details class="more">
          <summary>${rest.length} more ${rest.length === 1 ? 'example' : 'examples'}</summary>
          ${rest}
        </details>`
  }`;
}

function answerSamples(drawing: Drawing, { responses = {} }: ApiOperation): readonly Html[] {
  // What is created goes before what was there already.
  const first = ([status]: readonly [string, unknown]) => (status === '201' ? 0 : 1);
  return Object.entries(responses)
    .filter(([status]) => isSuccess(status))
    .toSorted((one, other) => first(one) - first(other))
    .flatMap(([status, given]) => {
      const content = resolve(drawing.document, given).content ?? {};
      // A file is described, not shown.
      const texts = Object.entries(content).filter(([type]) => /json|csv/.test(type));
      return sampleBlocks(drawing, `Answer ${status}`, Object.fromEntries(texts));
    });
}

function head({ id, operation }: Placed, title: string): Html {
  return html`<h2 id="${id}"><a class="anchor" href="#${id}">${title}</a></h2>
    ${operation.deprecated === true ? html`<p><span class="deprecated">deprecated</span></p>` : null}`;
}

/** An operation of the API: what it takes and answers, with samples beside it. */
export function operationSection(drawing: Drawing, placed: Placed, server: string): Html {
  const { id, method, path, operation } = placed;
  const { document, links } = drawing;
  const parameters = (operation.parameters ?? []).map((given) => resolve(document, given));
  const call = codeBlock('sh', curlOf(document, method, path, operation, server), 'curl');
  return html`<section class="operation" aria-labelledby="${id}">
    <div class="text">
      ${head(placed, operation.summary ?? id)}
      <p class="call">
        <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
      </p>
      ${operation.description === undefined ? null : renderText(operation.description, links)}
      ${parametersOf(drawing, parameters)} ${requestOf(drawing, operation)}
      ${answers(drawing, operation)}
    </div>
    <div class="samples">${folded([call, ...answerSamples(drawing, operation)])}</div>
  </section>`;
}

/** An event that the service sends to a webhook endpoint. */
export function eventSection(drawing: Drawing, placed: Placed): Html {
  const { id, path, operation } = placed;
  const { content = {}, description } = resolve(drawing.document, operation.requestBody ?? {});
  const headers = (operation.parameters ?? []).map((given) => resolve(drawing.document, given));
  return html`<section class="operation" aria-labelledby="${id}">
    <div class="text">
      ${head(placed, path)}
      <p class="call"><span class="method post">EVENT</span> ${operation.summary ?? id}</p>
      ${[operation.description, description].map((text) =>
        text === undefined ? null : renderText(text, drawing.links),
      )}
      ${
        headers.length === 0
          ? null
          : html`<details class="inner">
              <summary>Headers</summary>
              ${parameterList(drawing, headers)}
            </details>`
      }
      ${bodyOf(drawing, content)}
    </div>
    <div class="samples">${folded(sampleBlocks(drawing, 'Body', content))}</div>
  </section>`;
}
