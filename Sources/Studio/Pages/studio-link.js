// The state of the connection, notices, and the warning before the page is closed.

import { LOST, findServer } from './studio-wire.js';

export const setLink = (state, words) => { $('link').dataset.state = state; $('link').textContent = words; };

/**
 * Shows a sentence until the reader closes it or, if it `passes`, until the studio answers again.
 */
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

/** Whether the server does not answer, although the engine in the page does. */
let isLost = false;

/** Shows that the studio answers, and removes notices that said otherwise. */
export const setReady = () => {
  if (isLost) return;
  setLink('live', 'ready');
  for (const note of $('notices').querySelectorAll('[data-passes]')) note.remove();
};

/** The time between two checks of the server, in milliseconds. */
const PAUSE = 1000;

/**
 * Checks every second whether the server answers, while the page is visible.
 *
 * @param {() => Promise<void>} comeBack Called when the server answers again.
 */
export const watchServer = comeBack => {
  if (isSent) return;
  const look = async () => {
    try {
      await findServer();
      if (!isLost) return;
      isLost = false;
      await comeBack();
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

/** Makes the browser ask before it closes a page with unsaved changes. */
export const askBeforeLeaving = app => addEventListener('beforeunload', event => {
  if (!isSent && Object.keys(app.edits.changes()).length) event.preventDefault();
});
