// Questions to the engine: the newest state of the page is asked, what is older is dropped.

import { getProgress, postQuestion } from './studio-wire.js';

const pause = milliseconds => new Promise(resolve => { setTimeout(resolve, milliseconds); });

// A question that takes longer than this is given up for a newer one.
const PATIENCE = 150;

/**
 * Sets up the questions.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `take(answer)`, `takeProgress(progress)` of all tracks, `asked()` when everything has been answered,
 *   `drawn()`, a promise that the page shows it, `changed()` whenever something is to be asked, `link(state, words)`,
 *   `ready()`, `notify(sentence)`.
 * @returns {{ask: () => void, number: () => number}}
 */
export const openQuestions = (app, hooks) => {
  let asked = 0, isAsking = false, isStale = false, abort = null, askedAt = 0;

  let isFollowed = false;
  /** Asks for the other tracks until all are followed. */
  const followProgress = async () => {
    if (isFollowed) return;
    isFollowed = true;
    try {
      for (;;) {
        const number = asked, progress = await getProgress();
        if (isAsking) { await pause(50); continue; }
        const isCurrent = number === asked;
        hooks.takeProgress(progress, isCurrent && progress.complete);
        if (!isCurrent) continue;
        if (progress.complete) {
          document.body.dataset.complete = String(number);
          break;
        }
      }
    } catch (error) {
      hooks.notify(error.message);
    }
    isFollowed = false;
  };

  const asking = async () => {
    isAsking = true;
    while (isStale) {
      isStale = false;
      asked += 1;
      askedAt = performance.now();
      abort = new AbortController();
      const number = app.number, began = askedAt;
      try {
        const answer = await postQuestion(app.question(), abort.signal);
        if (number !== app.number) continue;
        if (answer.stale) {
          // Another page of this studio has asked meanwhile.
          await pause(150);
          isStale = true;
          continue;
        }
        hooks.take(answer);
        app.lastAnswer = performance.now() - began;
        hooks.ready();
      } catch (error) {
        if (error.name === 'AbortError') continue;
        hooks.link('gone', 'not followed');
        hooks.notify(error.message, true, true);
      }
    }
    isAsking = false;
    hooks.asked();
    const number = asked, isSingle = app.scene.tracks.length === 1;
    if (!isSingle) followProgress();
    await hooks.drawn();
    document.body.dataset.answered = String(number);
    // Of a single track the answer has said everything.
    if (isSingle) document.body.dataset.complete = String(number);
  };

  return {
    /** Asks what happens now; while an answer is under way the newest state waits for it. */
    ask: () => {
      isStale = true;
      hooks.changed();
      if (isAsking) {
        if (performance.now() - askedAt > PATIENCE) abort.abort();
        return;
      }
      asking();
    },
    number: () => asked,
  };
};
