// The state of the connection, notices, and the warning before the page is closed.

import { getNews, LOST } from './studio-wire.js';

export const setLink = (state, words) => {
  $('link').dataset.state = state;
  $('link').textContent = words;
};

/**
 * Shows a sentence until the reader closes it or, if it `passes`, until the studio answers again.
 *
 * @param {[string, () => Promise<void>]} [offer] The words of a button beside the sentence, and what it does.
 */
export const notify = (sentence, isBad = true, passes = sentence === LOST, offer = null) => {
  const shown = [...$('notices').children].find((one) => one.firstChild.textContent === sentence);
  if (shown) return;
  const note = element('p', sentence, isBad ? 'notice bad' : 'notice'), close = element('button', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => note.remove());
  if (offer) {
    const [words, action] = offer, button = element('button', words);
    button.type = 'button';
    button.addEventListener('click', () => {
      note.remove();
      action().catch((error) => notify(error.message));
    });
    note.append(button);
  }
  note.append(close);
  if (passes) note.dataset.passes = '';
  $('notices').append(note);
  while ($('notices').children.length > 4) $('notices').firstChild.remove();
};

/** Whether the server does not answer, although the engine in the page does. */
let isLost = false;

const showWork = (done) => {
  setLink(done < 1 ? 'busy' : 'live', done < 1 ? 'working' : 'ready');
  $('link').style.setProperty('--done', `${Math.floor(100 * done)}%`);
};
/** Shows which share of the work is done, unless something is wrong. */
export const setWork = (done) => {
  if (['busy', 'live'].includes($('link').dataset.state)) showWork(done);
};

/** Shows that the studio answers, and which share of its work is done, and removes notices that said otherwise. */
export const setReady = (done) => {
  if (isLost) return;
  showWork(done);
  for (const note of $('notices').querySelectorAll('[data-passes]')) note.remove();
};

/** The time between two checks of the server, in milliseconds. */
const PAUSE = 1000;

/** How often stories and walks have changed on the server, as this page knows it; null until it knows. */
let news = null;
/** How many of the changes to come are this page's own, and no news to it. */
const own = { stories: 0, walks: 0 };

/**
 * Makes a request that changes the stories or the walks on the server, which this page need not be told.
 *
 * @template Answer
 * @param {'stories'|'walks'} kind
 * @param {() => Promise<Answer>} request
 * @param {(answer: Answer) => boolean} hasChanged Whether an answer says that something has changed.
 * @returns {Promise<Answer>}
 */
export const asOwn = async (kind, request, hasChanged = () => true) => {
  let isDone = false;
  own[kind] += 1;
  try {
    const answer = await request();
    isDone = hasChanged(answer);
    return answer;
  } finally {
    if (!isDone) own[kind] -= 1;
  }
};

/**
 * Asks every second whether the server answers and what others have changed, while the page is visible.
 *
 * @param {{comeBack: () => Promise<void>, renewWalks: () => Promise<void>, takeStories: () => Promise<void>}} hooks
 *   `comeBack()` is called when the server answers again, `renewWalks()` after another page has added or removed a walk, and
 *   `takeStories()` when the reader wants to see what others saved. `hasChanges()` says whether this page has unsaved ones.
 */
export const watchServer = (hooks) => {
  if (isSent) return;
  const compare = async (found) => {
    const before = news ?? found;
    news = found;
    const isNews = (kind) => {
      const changes = Math.max(0, found[kind] - before[kind]), ours = Math.min(own[kind], changes);
      own[kind] -= ours;
      return changes > ours;
    };
    if (isNews('walks')) await hooks.renewWalks();
    if (isNews('stories')) {
      notify(
        `Somebody else has saved changes to the stories.${
          hooks.hasChanges() ? ' Yours are not saved yet, and stay.' : ''
        }`,
        false,
        false,
        ['Show theirs', hooks.takeStories],
      );
    }
  };
  const look = async () => {
    try {
      const found = await getNews();
      if (!isLost) return await compare(found);
      isLost = false;
      news = found;
      await hooks.comeBack();
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
export const askBeforeLeaving = (app) =>
  addEventListener('beforeunload', (event) => {
    if (!isSent && Object.keys(app.edits.changes()).length) event.preventDefault();
  });
