/*
 * What makes the documents more comfortable: search while typing, a button that copies code, and the
 * present place in the list beside the text. Every page works without this.
 */

/** How many places are shown while somebody types; Enter leads to all of them. */
const shown = 8;

function addCopyButtons() {
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.ariaLabel = `Copy: ${figure.querySelector('figcaption').textContent}`;
    button.addEventListener('click', async () => {
      const done = await navigator.clipboard
        .writeText(figure.querySelector('pre').textContent)
        .then(
          () => true,
          () => false,
        );
      button.textContent = done ? 'Copied' : 'Press Ctrl+C';
      if (!done) getSelection().selectAllChildren(figure.querySelector('pre'));
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    figure.append(button);
  }
}

function followReader() {
  const links = new Map(
    [...document.querySelectorAll('.toc a, .places a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const places = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  if (places.length === 0) return;
  const mark = () => {
    const passed = places.filter((place) => place.getBoundingClientRect().top < 120);
    const present = links.get((passed.at(-1) ?? places[0]).id);
    for (const link of links.values()) link.removeAttribute('aria-current');
    present.setAttribute('aria-current', 'location');
  };
  // The upper edge and the lower one each pass the bar.
  const options = { rootMargin: '-100px 0px 0px 0px', threshold: [0, 1] };
  const seen = new IntersectionObserver(mark, options);
  for (const place of places) seen.observe(place);
  mark();
}

/** A link to a place of the page that is open leads behind the list of pages. */
function closeListOnChoice() {
  const list = document.getElementById('frame-pages');
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null && list.matches(':popover-open')) list.hidePopover();
  });
}

/** The index and the search over it, fetched when somebody first looks for something. */
async function fetchSearch() {
  const { index, match } = document.body.dataset;
  const [{ find, excerpt }, answer] = await Promise.all([import(match), fetch(index)]);
  if (!answer.ok) throw new Error(`The index answered ${answer.status}`);
  return { find, excerpt, entries: await answer.json() };
}

let searching = null;
async function loadSearch() {
  searching ??= fetchSearch();
  try {
    return await searching;
  } catch (error) {
    // The next key tries again; until then Enter asks the server.
    searching = null;
    throw error;
  }
}

function line(className, text) {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

function optionOf(entry, number, about) {
  const option = document.createElement('li');
  option.id = `found-${number}`;
  option.role = 'option';
  option.ariaSelected = 'false';
  option.dataset.path = entry.path;
  option.append(line('title', entry.title), line('of', entry.of), line('about', about));
  return option;
}

/** The search field as a combobox, https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
function searchWhileTyping(form) {
  const input = form.elements.q;
  const list = document.createElement('ul');
  list.className = 'found';
  list.id = 'found';
  list.role = 'listbox';
  list.ariaLabel = 'Found places';
  list.hidden = true;
  form.append(list);
  input.role = 'combobox';
  input.ariaExpanded = 'false';
  input.ariaAutoComplete = 'list';
  input.setAttribute('aria-controls', 'found');

  const choose = (option) => {
    for (const other of list.children) other.ariaSelected = String(other === option);
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const chosen = () => [...list.children].find((option) => option.ariaSelected === 'true');
  const go = (option) => {
    open(false);
    location.assign(option.dataset.path);
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    input.ariaExpanded = String(isOpen);
    if (!isOpen) choose(undefined);
  };
  const search = async () => {
    const question = input.value.trim();
    if (question === '') {
      open(false);
      return;
    }
    const { find, excerpt, entries } = await loadSearch();
    // An answer to what stood in the field before is of no use.
    if (question !== input.value.trim()) return;
    const found = find(entries, question, shown);
    list.replaceChildren(
      ...found.map((entry, number) => optionOf(entry, number, excerpt(entry.text, question))),
    );
    open(found.length > 0);
  };
  const quietly = () => search().catch(() => open(false));

  input.addEventListener('input', quietly);
  input.addEventListener('focus', () => loadSearch().catch(() => undefined));
  input.addEventListener('keydown', (event) => {
    const options = [...list.children];
    if (event.key === 'Escape' && !list.hidden) {
      // The field's own answer to this key is to empty itself.
      event.preventDefault();
      open(false);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const at = options.indexOf(chosen());
      const next = at === -1 && step === -1 ? options.length - 1 : at + step;
      choose(options[(next + options.length) % options.length]);
    } else if (event.key === 'Enter' && chosen() !== undefined) {
      event.preventDefault();
      go(chosen());
    }
  });
  document.addEventListener('click', ({ target }) => {
    const option = target.closest('.found [role=option]');
    if (option !== null) go(option);
    else if (!form.contains(target)) open(false);
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

addCopyButtons();
followReader();
closeListOnChoice();
searchWhileTyping(document.querySelector('form.search'));
