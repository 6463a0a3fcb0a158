import { Router } from 'express';
import { facts } from '../route/handler.ts';
import { PageFailure } from './failure.ts';
import { only } from './only.ts';
import { isForeign } from './origin.ts';
import { endedPage, thanksPage } from './pages/ended.ts';
import { startPage } from './pages/start.ts';
import { beginPage, goTo, openForm, sendPageText, type PageParts } from './request.ts';
import { answerDraft, answerSubmission, showStep, type Sending } from './step.ts';
import { stepNames, stepsOf, type StepName } from './steps.ts';
import { createSubmissions } from './submissions.ts';
import { createUploadSlots } from './upload-slots.ts';

/** Files in memory at a time; each has up to 11 MiB and is copied twice while the form is parsed. */
const uploadSlots = 8;
export const uploadWaitMs = 10_000;

function addStep(router: Router, parts: PageParts, sending: Sending, step: StepName): void {
  router.all(`/:token/${step}`, only('GET', 'HEAD', 'POST'));
  router.get(`/:token/${step}`, async (request, response) => {
    const page = beginPage(parts, request, response, step);
    const form = await openForm(parts, page);
    if (form.state !== 'live') sendPageText(page, endedPage(page.view, form), 410);
    else if (stepsOf(form).includes(step)) await showStep(parts, page, form, step);
    else throw new PageFailure('noPage');
  });
  router.post(`/:token/${step}`, async (request, response) => {
    const page = beginPage(parts, request, response, step);
    if (isForeign(page.request, parts.services.config.PUBLIC_URL)) throw new PageFailure('foreign');
    const form = await openForm(parts, page);
    if (!stepsOf(form).includes(step)) throw new PageFailure('noPage');
    // Only a submission may come again after it went well.
    if (step === 'send' || step === 'document') {
      await answerSubmission(parts, page, form, step, sending);
    } else if (form.state === 'live') await answerDraft(parts, page, form, step);
    else sendPageText(page, endedPage(page.view, form), 410);
  });
}

/** The policy of an image that a business uploaded, should somebody open it as a page. */
const imagePolicy = "default-src 'none'; sandbox";

/** A link's logo. Its address names the content, so the reader's own browser may keep it. */
function addLogo(router: Router, parts: PageParts): void {
  router.all('/:token/logo/:digest', only('GET', 'HEAD'));
  router.get('/:token/logo/:digest', async (request, response) => {
    const page = beginPage(parts, request, response, 'logo');
    const logo = await parts.operations.logo(page.token, facts(response));
    if (logo === null || logo.content === null || logo.digest !== request.params.digest) {
      throw new PageFailure('noPage');
    }
    response.set({
      'Content-Security-Policy': imagePolicy,
      'Content-Type': logo.contentType,
      'Cache-Control': 'private, max-age=31536000, immutable',
    });
    response.end(request.method === 'HEAD' ? undefined : Buffer.from(logo.content, 'base64'));
  });
}

/** The pages of a link: the first one, its steps and the thanks, and the logo that they show. */
export function createPages(parts: PageParts): Router {
  const router = Router({ caseSensitive: true });
  router.all('/:token', only('GET', 'HEAD'));
  router.get('/:token', async (request, response) => {
    const page = beginPage(parts, request, response, '');
    const form = await openForm(parts, page);
    if (form.state === 'live') sendPageText(page, startPage(page.view, form));
    else sendPageText(page, endedPage(page.view, form), 410);
  });
  router.all('/:token/thanks', only('GET', 'HEAD'));
  router.get('/:token/thanks', async (request, response) => {
    const page = beginPage(parts, request, response, 'thanks');
    const form = await openForm(parts, page);
    if (form.state === 'submitted') sendPageText(page, thanksPage(page.view, form));
    else goTo(page, page.view.links.page());
  });
  const sending: Sending = {
    uploads: createUploadSlots(uploadSlots, uploadWaitMs),
    submissions: createSubmissions(({ outcome }) => outcome.failure === undefined),
  };
  addLogo(router, parts);
  for (const step of stepNames) addStep(router, parts, sending, step);
  return router;
}
