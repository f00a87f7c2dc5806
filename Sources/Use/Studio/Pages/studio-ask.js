// Questions to the engine. Only the page's newest state matters; older states are never asked about.

import { getProgress, postQuestion } from './studio-wire.js';

const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Sets up the questions.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `take(answer)`, `takeProgress(progress)` for all walks, `asked()` once everything is
 *   answered,
 *   `drawn()`, a promise kept once the page shows it, `changed()` before each question,
 * `link(state, words)`,
 *   `ready()`, `notify(sentence)`.
 * @returns {{ask: () => void, number: () => number}}
 */
export const openQuestions = (app, hooks) => {
  let asked = 0, isAsking = false, isStale = false;

  let isFollowed = false;
  /** Asks for the other walks until all are replayed. */
  const followProgress = async () => {
    if (isFollowed) return;
    isFollowed = true;
    try {
      for (;;) {
        const number = asked, progress = await getProgress();
        if (isAsking) {
          await pause(50);
          continue;
        }
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
      const number = app.number, began = performance.now();
      try {
        const answer = await postQuestion(app.question());
        if (number !== app.number) continue;
        hooks.take(answer);
        app.lastAnswer = performance.now() - began;
        hooks.ready();
      } catch (error) {
        hooks.link('gone', 'no result');
        hooks.notify(error.message, true, true);
      }
    }
    isAsking = false;
    hooks.asked();
    const number = asked, isSingle = app.scene.tracks.length === 1;
    if (!isSingle) followProgress();
    await hooks.drawn();
    document.body.dataset.answered = String(number);
    // With a single walk, the answer is complete.
    if (isSingle) document.body.dataset.complete = String(number);
  };

  return {
    /** Asks for the current state, after the current question if there is one. */
    ask: () => {
      isStale = true;
      hooks.changed();
      if (!isAsking) asking();
    },
    number: () => asked,
  };
};
