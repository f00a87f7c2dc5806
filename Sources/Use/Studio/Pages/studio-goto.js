// The field that shows the time of the moment and goes to a time that the reader types.

import { say } from './studio-lists.js';
import { clockText, clockWords, instantOf, toldZone } from './studio-zone.js';

/**
 * The moment of a time on the walk's time line.
 *
 * @param {import('./studio-wire.js').Track} track
 * @param {number} time Milliseconds since 1970.
 * @returns {number|null} Null if the time is before the first or after the last fix.
 */
export const momentAt = (track, time) => {
  let last = -1;
  for (let i = 0; i < track.count; i++) {
    const here = track.time[i];
    if (here === null) continue;
    if (here > time) {
      if (last < 0) return null;
      const share = (time - track.time[last]) / (here - track.time[last]);
      return track.clock[last] + share * (track.clock[i] - track.clock[last]);
    }
    last = i;
  }
  return last >= 0 && track.time[last] === time ? track.clock[last] : null;
};

/**
 * Sets up the field.
 *
 * @param app What the page shows; see `studio.js`.
 */
export const openGoTo = (app) => {
  const field = $('clock');
  let shown = '';
  const zone = () => app.scene.zone;
  const refuse = (words) => {
    field.setCustomValidity(words);
    field.reportValidity();
  };
  field.addEventListener('input', () => field.setCustomValidity(''));
  field.addEventListener('change', () => {
    if (!app.track || field.value === '') return show();
    const here = app.state?.position.time ?? app.track.time.find((one) => one !== null) ?? null;
    const time = instantOf(field.value, zone(), here);
    if (time === null) {
      return refuse(
        'Use a time such as 17:05, 2026-03-04 17:05:30 or 2026-03-04T17:05:30Z. ' +
          `Without a zone, it is in ${toldZone(zone())}.`,
      );
    }
    const moment = momentAt(app.track, time);
    const known = app.track.time.filter((one) => one !== null);
    if (moment === null) {
      return refuse(
        `The walk lasts from ${clockWords(known[0], zone())} to ${clockWords(known[known.length - 1], zone())}.`,
      );
    }
    field.setCustomValidity('');
    shown = field.value;
    app.player.pause();
    app.player.seek(app.walks.toShared(moment));
    show();
  });
  /** Shows the time of the moment, unless the reader is typing. */
  const show = () => {
    const time = app.state?.position.time ?? null;
    say('clock-zone', `(${toldZone(zone())})`);
    field.disabled = time === null;
    // Do not overwrite what the reader types.
    if (document.activeElement === field && field.value !== shown) return;
    shown = time === null ? '' : clockText(Math.round(time / 1000) * 1000, zone());
    if (field.value !== shown) field.value = shown;
  };
  return { show };
};
