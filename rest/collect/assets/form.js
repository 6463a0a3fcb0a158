/*
 * What makes the forms more comfortable: checks on leaving a field, groups of four in an IBAN, the
 * questions of a country at once. Every page works without this, and the server judges everything
 * again. All texts are in the page, in its language.
 */

/** @param {HTMLElement} control */
const boxOf = (control) => control.closest('fieldset.field') ?? control.closest('.field');

/** @param {string} iban in its electronic form; ISO 7064, mod 97-10 */
function ibanSumHolds(iban) {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** @param {string} digits nine digits; the weights are 3, 7, 1 */
const abaSumHolds = (digits) =>
  [...digits].reduce((sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3], 0) % 10 ===
  0;

const compact = (text) => text.replace(/[\s-]/g, '').toUpperCase();

function isEmpty(control) {
  if (control.type !== 'radio') return control.value.trim() === '';
  return ![...control.form.elements[control.name]].some(({ checked }) => checked);
}

/** The sentence for what is wrong with a control; empty when nothing is. */
function faultOf(control) {
  const { missing, iban, aba, abaForm } = control.dataset;
  if (isEmpty(control)) return missing ?? '';
  const value = compact(control.value);
  if (iban !== undefined && !ibanSumHolds(value)) return iban;
  if (aba !== undefined && !/^\d{9}$/.test(value)) return abaForm;
  return aba !== undefined && !abaSumHolds(value) ? aba : '';
}

/** Shows or takes away the sentence at a field, and ties it to the control. */
function show(control, fault) {
  const box = boxOf(control);
  if (box === null) return;
  const isGroup = box.tagName === 'FIELDSET';
  const described = isGroup ? box : control;
  const id = `${isGroup ? control.name.replace(/_(day|month|year)$/, '') : control.id}-fault`;
  const others = (described.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((other) => other !== id && other !== '');
  box.querySelector('.fault')?.remove();
  if (fault === '') control.removeAttribute('aria-invalid');
  else {
    const text = document.createElement('p');
    text.className = 'fault';
    text.id = id;
    text.textContent = fault;
    // Where the server puts it too.
    (box.querySelector('.hint') ?? box.querySelector('label, legend'))?.after(text);
    control.setAttribute('aria-invalid', 'true');
    others.push(id);
  }
  if (others.length === 0) described.removeAttribute('aria-describedby');
  else described.setAttribute('aria-describedby', others.join(' '));
}

const isPartOfDate = (control) => control.closest('.date') !== null;

/** Groups an IBAN in fours, as it is printed, and keeps the cursor behind the same character. */
function group(input) {
  const behind = compact(input.value.slice(0, input.selectionStart ?? 0)).length;
  const text = compact(input.value).replace(/(.{4})(?=.)/g, '$1 ');
  if (text === input.value) return;
  input.value = text;
  const cursor = Math.min(text.length, behind + Math.max(0, Math.ceil(behind / 4) - 1));
  input.setSelectionRange(cursor, cursor);
}

/** As many lines as its text needs, where the browser does not see to that itself. */
function fit(input) {
  if (CSS.supports('field-sizing', 'content')) return;
  input.rows = 1;
  if (input.scrollHeight > input.clientHeight) input.rows = 2;
}

/** Puts in the questions of the chosen country. */
function followCountry(choice) {
  const list = choice.elements.country;
  const form = document.getElementById('answers');
  const place = document.getElementById('identifiers');
  const follow = () => {
    const { kind, currency } = list.selectedOptions[0].dataset;
    const template = kind === undefined ? null : document.getElementById(kind);
    form.hidden = template === null;
    if (template === null) return;
    // Countries with the same questions keep what was typed.
    if (place.dataset.kind !== kind) place.replaceChildren(template.content.cloneNode(true));
    place.dataset.kind = kind;
    form.elements.country.value = list.value;
    form.elements.currency.value = currency ?? '';
    show(list, '');
  };
  list.addEventListener('change', follow);
  // Somebody chose before this script ran, or the browser brought an earlier choice back.
  if (list.value !== form.elements.country.value) follow();
}

function checkWhileTyping(form) {
  form.addEventListener('input', ({ target }) => {
    if (target.dataset.iban !== undefined) {
      group(target);
      fit(target);
    }
    // A sentence that no longer holds goes at once; a new one waits until the field is left.
    if (target.getAttribute('aria-invalid') === 'true' && faultOf(target) === '') show(target, '');
  });
  // An IBAN has no lines of its own: the key sends the form, as in the fields beside it.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target.dataset.iban === undefined) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('focusout', ({ target }) => {
    // Links and summaries can have the focus too.
    if (typeof target.value !== 'string' || target.type === 'submit' || isPartOfDate(target))
      return;
    // Who only passes through has not forgotten anything yet.
    if (target.type === 'radio' || target.type === 'file' || isEmpty(target)) return;
    show(target, faultOf(target));
  });
}

function checkOnSubmit(form) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    const faulty = [...form.elements].filter(
      (control) => control.dataset.missing !== undefined || control.dataset.iban !== undefined,
    );
    const boxes = new Set();
    let first = null;
    for (const control of faulty) {
      const fault = faultOf(control);
      const box = boxOf(control);
      // One sentence for a group: that of its first faulty control.
      if (boxes.has(box)) continue;
      show(control, fault);
      if (fault === '') continue;
      boxes.add(box);
      first ??= control;
    }
    if (first !== null || sent) event.preventDefault();
    if (first !== null) first.focus();
    else sent = true;
  });
  // Back to a page that the browser kept: it may be sent again.
  window.addEventListener('pageshow', () => {
    sent = false;
  });
}

for (const time of document.querySelectorAll('time')) {
  const style = {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'long',
  };
  const { lang } = document.documentElement;
  time.textContent = new Intl.DateTimeFormat(lang, style).format(new Date(time.dateTime));
}

const choice = document.getElementById('country-choice');
const answers = document.getElementById('answers');
if (choice !== null) {
  choice.classList.add('scripted');
  followCountry(choice);
}
if (answers !== null) {
  checkWhileTyping(answers);
  checkOnSubmit(answers);
}
