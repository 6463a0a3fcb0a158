/*
 * What makes the documents more comfortable: a button that copies code, the present place in the list beside the
 * text, and a key that leads to the search. Every page works without this.
 */

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

/** A slash leads to the search, as it does on other sites. */
function focusSearchBySlash(input) {
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
focusSearchBySlash(document.querySelector('form.search').elements.q);
