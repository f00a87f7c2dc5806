// The walks on the map: their colors, which of them are shown, and playing all of them at once.

import { asOwn } from './studio-link.js';
import { clockOf, getTrack, postTrackRemoval, postTrackReturn } from './studio-wire.js';
import { positionAt } from './studio-moment.js';
import { clockAt } from './studio-view.js';
import { shownNames } from './studio-session.js';

/** More fixes than this are not played at once. */
const MOST_FIXES = 2000000;

const MODES = [['this', 'the chosen walk'], ['clock', 'all walks, by the clock'], [
  'starts',
  'all walks, from their starts',
]];

/**
 * The time line of several walks by the clock: the times of all fixes, and their moments. Times in which nobody walks
 * are shortened as in a walk.
 */
const sharedOf = (tracks) => {
  const all = tracks.flatMap((track) => track.time.filter((one) => one !== null));
  const time = [...new Set(all)].sort((a, b) => a - b);
  return { time, clock: clockOf(time), count: time.length };
};
/** The time at a moment of a time line. */
const timeAt = ({ time, clock, count }, moment) => {
  let low = 0, high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (clock[middle] <= moment) low = middle;
    else high = middle - 1;
  }
  const span = low + 1 < count ? clock[low + 1] - clock[low] : 0;
  return time[low] + (span > 0 ? (moment - clock[low]) / span * (time[low + 1] - time[low]) : 0);
};

/**
 * Sets up the list of walks.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `draw()` after walks are shown or hidden, `notify(sentence)`.
 */
export const openWalks = (app, hooks) => {
  const box = $('walks'), list = $('walk-list'), hidden = new Set();
  /** @type {Map<string, import('./studio-wire.js').Track>} */
  const known = new Map();
  let mode = 'this', shared = null;

  const trackOf = (number) => number === app.number ? app.track : known.get(app.scene.tracks[number].name);
  const readAll = async () => {
    const fixes = app.scene.tracks.reduce((sum, one) => sum + one.fixes, 0);
    if (fixes > MOST_FIXES) throw new Error(`All walks together have ${count(fixes)} fixes, too many to play at once.`);
    for (const [number, { name }] of app.scene.tracks.entries()) {
      if (!trackOf(number)) known.set(name, await getTrack(number, name));
    }
    if (app.track) known.set(app.track.name, app.track);
  };
  const endOf = (track) => track.clock[track.count - 1];

  // ---- moments: the player's, on the shared time line, and the chosen walk's own

  const own = (moment) =>
    mode === 'clock' && app.track && hasTimes(app.track)
      ? clockAt(app.track, timeAt(shared, moment))
      : app.track
      ? Math.min(moment, endOf(app.track))
      : moment;
  const toShared = (moment) =>
    mode === 'clock' && app.track && hasTimes(app.track) ? clockAt(shared, timeAt(app.track, moment)) : moment;
  const hasTimes = (track) => track.time.every((one) => one !== null);
  const end = () =>
    mode === 'this'
      ? endOf(app.track)
      : mode === 'clock'
      ? shared.clock[shared.count - 1]
      : Math.max(...app.scene.tracks.map((_, number) => trackOf(number)).filter(Boolean).map(endOf));

  const choose = async (wanted) => {
    const before = app.track ? own(app.player.now) : 0;
    try {
      if (wanted !== 'this') await readAll();
      if (wanted === 'clock') {
        shared = sharedOf([...known.values()].filter(hasTimes));
        if (!shared.count) throw new Error('The walks have no times, so they cannot be played by the clock.');
      }
      mode = wanted;
    } catch (error) {
      mode = 'this';
      hooks.notify(error.message);
    }
    $('play-mode').value = mode;
    if (app.track) app.player.open(end(), toShared(before));
    hooks.draw();
  };

  // ---- adding and removing

  /**
   * Makes a step of a walk that was added or removed. Undo and redo remove it and bring it back.
   *
   * @param {boolean} isAdded Whether the walk was added rather than removed.
   */
  const noteStep = (words, name, isAdded, number = null) => {
    let removed = number;
    const setShown = async (isWanted) => {
      try {
        const number = app.scene.tracks.findIndex((one) => one.name === name);
        if (isWanted) await asOwn('walks', () => postTrackReturn(removed));
        else removed = await asOwn('walks', () => postTrackRemoval(number, name));
        known.delete(name);
        await hooks.renewWalks(isWanted ? name : undefined);
      } catch (error) {
        hooks.notify(error.message);
      }
    };
    // One after another, also if Undo is pressed quickly.
    let before = Promise.resolve();
    app.edits.record(words, (isDone) => {
      before = before.then(() => setShown(isDone === isAdded));
    });
  };
  const remove = async (number) => {
    const { name } = app.scene.tracks[number];
    try {
      const removed = await asOwn('walks', () => postTrackRemoval(number, name));
      known.delete(name);
      noteStep(`Remove ${app.shortNames[number]}`, name, false, removed);
      await hooks.renewWalks();
    } catch (error) {
      hooks.notify(error.message);
    }
  };

  // ---- the list

  const show = () => {
    const names = shownNames(app.scene.tracks);
    box.hidden = names.length === 0;
    $('play-mode').closest('p').hidden = names.length < 2;
    list.replaceChildren(...names.map((name, number) => {
      const item = element('li'),
        label = element('label'),
        check = element('input'),
        key = element('span', undefined, `walk-key walk-${number % WALK_COLORS}`);
      check.type = 'checkbox';
      check.checked = !hidden.has(app.scene.tracks[number].name);
      check.addEventListener('change', () => {
        const { name: whole } = app.scene.tracks[number];
        if (check.checked) hidden.delete(whole);
        else hidden.add(whole);
        hooks.draw();
      });
      label.append(check, key, ` ${name}`);
      item.append(label);
      if (!isSent) {
        const button = element('button', '×', 'remove');
        button.type = 'button';
        button.title = `Remove ${name}`;
        button.setAttribute('aria-label', `Remove ${name}`);
        button.addEventListener('click', () => remove(number));
        item.append(button);
      }
      return item;
    }));
  };
  const select = $('play-mode');
  for (const [value, words] of MODES) {
    const option = element('option', words);
    option.value = value;
    select.append(option);
  }
  select.addEventListener('change', () => choose(select.value));
  show();
  return {
    show,
    own,
    toShared,
    end,
    /** Makes a step of a walk that was dropped. */
    noteAdded: (number) => noteStep(`Add ${app.scene.tracks[number].name}`, app.scene.tracks[number].name, true),
    get mode() {
      return mode;
    },
    isHidden: (number) => hidden.has(app.scene.tracks[number].name),
    /** Plays only the chosen walk after walks were added. */
    renew: async () => {
      show();
      if (mode !== 'this') await choose('this');
    },
    /** Reads what playing the newly chosen walk with the others takes. */
    follow: () => {
      if (app.track) known.set(app.track.name, app.track);
    },
    /** Where the other walks are at a moment of the player. */
    others: (moment) =>
      mode === 'this' ? [] : app.scene.tracks.flatMap((row, number) => {
        const track = trackOf(number);
        if (!track || number === app.number || hidden.has(row.name)) return [];
        if (mode === 'starts') return [{ number, ...positionAt(track, null, Math.min(moment, endOf(track))) }];
        if (!hasTimes(track)) return [];
        const time = timeAt(shared, moment);
        if (time < track.time[0] || time > track.time[track.count - 1]) return [];
        return [{ number, ...positionAt(track, null, clockAt(track, time)) }];
      }),
  };
};
