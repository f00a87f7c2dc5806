// A part of the time line, which limits the events, the marks on the map and the counts to itself.

import { clockWords } from './studio-zone.js';

const KINDS = [['alert', 'alerts'], ['suppressed', 'held back'], ['late', 'late'], ['missed', 'missed']];

/**
 * Sets up the choice of a part of the time line, in moments of the player.
 *
 * @param app What the page shows; see `studio.js`.
 * @param changed Called after the part has changed.
 */
export const openRange = (app, changed) => {
  let from = null, to = null;
  const set = (start, end) => {
    const isEmpty = start !== null && end !== null && start >= end;
    [from, to] = isEmpty ? [null, null] : [start, end];
    changed();
  };
  $('range-from').addEventListener('click', () => set(app.player.now, to !== null && to > app.player.now ? to : null));
  $('range-to').addEventListener(
    'click',
    () => set(from !== null && from < app.player.now ? from : null, app.player.now),
  );
  $('range-all').addEventListener('click', () => set(null, null));
  const timeWords = (moment) => {
    const own = app.walks.own(moment), fix = app.track.clock.findIndex((one) => one >= own - .5);
    const time = app.track.time[Math.max(0, fix)];
    return time === null ? `fix ${fix}` : clockWords(time, app.scene.zone).replace(/^.*, /, '');
  };
  return {
    set,
    /** The part as `[from, to]`; null for everything. */
    get: () => from === null && to === null ? null : [from ?? 0, to ?? app.player.end],
    /** Whether a moment of the chosen walk lies in the part. */
    holds: (own) => {
      const at = app.walks.toShared(own);
      return at >= (from ?? -Infinity) - .5 && at <= (to ?? Infinity) + .5;
    },
    /** Says what happens in the part. */
    show: () => {
      const isAll = from === null && to === null;
      $('range-all').hidden = isAll;
      $('range').hidden = isAll;
      if (isAll || !app.run) return;
      const inside = app.run.entries.filter((one) => app.range.holds(one.at));
      const numbers = KINDS.map(([kind, words]) =>
        `${count(inside.filter((one) => one.kind === kind).length)} ${words}`
      );
      $('range').textContent =
        `${timeWords(from ?? 0)} to ${timeWords(to ?? app.player.end)}: ${numbers.join(', ')}. ` +
        'The map and the events show this part alone.';
    },
  };
};
