// Whether the studio answers, what the reader should know, and the question before the page is left.

import { LOST, findServer } from './studio-wire.js';

export const setLink = (state, words) => { $('link').dataset.state = state; $('link').textContent = words; };

/** Shows a sentence until it is closed; one that `passes` goes when all is well again. */
export const notify = (sentence, isBad = true, passes = sentence === LOST) => {
  const shown = [...$('notices').children].find(one => one.firstChild.textContent === sentence);
  if (shown) return;
  const note = element('p', sentence, isBad ? 'notice bad' : 'notice'), close = element('button', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => note.remove());
  note.append(close);
  if (passes) note.dataset.passes = '';
  $('notices').append(note);
  while ($('notices').children.length > 4) $('notices').firstChild.remove();
};

/** All is well: what said otherwise goes. */
export const setReady = () => {
  setLink('live', 'ready');
  for (const note of $('notices').querySelectorAll('[data-passes]')) note.remove();
};

/** How long to wait before the server is looked for again, in milliseconds. */
const PAUSE = 1000;

/**
 * Looks each second whether the server is there, while the page is seen.
 *
 * @param {() => Promise<void>} comeBack Called when the server is there again.
 */
export const watchServer = comeBack => {
  let isLost = false;
  const look = async () => {
    try {
      await findServer();
      if (isLost) await comeBack();
      isLost = false;
    } catch (error) {
      isLost = true;
      setLink('gone', 'no answer');
      notify(error.message, true, true);
    }
  };
  const watch = async () => {
    if (!document.hidden) await look();
    setTimeout(watch, PAUSE);
  };
  watch();
};

/** Has the browser ask before changes that are not saved go with the page. */
export const askBeforeLeaving = app => addEventListener('beforeunload', event => {
  if (Object.keys(app.edits.changes()).length) event.preventDefault();
});
