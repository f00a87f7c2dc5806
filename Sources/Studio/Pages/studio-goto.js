// The field that shows the moment's time, and goes to the time that is typed.

import { say } from './studio-lists.js';
import { clockText, clockWords, instantOf, toldZone } from './studio-zone.js';

/**
 * Where a time is on the track's time line.
 *
 * @param {import('./studio-wire.js').Track} track
 * @param {number} time Milliseconds since 1970.
 * @returns {number|null} Null before the first and after the last time of the track.
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
export const openGoTo = app => {
  const field = $('clock');
  let shown = '';
  const zone = () => app.scene.zone;
  const refuse = words => { field.setCustomValidity(words); field.reportValidity(); };
  field.addEventListener('input', () => field.setCustomValidity(''));
  field.addEventListener('change', () => {
    if (!app.track || field.value === '') return show();
    const here = app.state?.position.time ?? app.track.time.find(one => one !== null) ?? null;
    const time = instantOf(field.value, zone(), here);
    if (time === null) return refuse(`Such as 17:05, 2026-03-04 17:05:30 or 2026-03-04T17:05:30Z; without a zone by the clock of ${toldZone(zone())}`);
    const moment = momentAt(app.track, time);
    const known = app.track.time.filter(one => one !== null);
    if (moment === null)
      return refuse(`The track is from ${clockWords(known[0], zone())} to ${clockWords(known[known.length - 1], zone())}`);
    field.setCustomValidity('');
    shown = field.value;
    app.player.pause();
    app.player.seek(moment);
    show();
  });
  /** Shows the time of the moment, unless somebody types. */
  const show = () => {
    const time = app.state?.position.time ?? null;
    say('clock-zone', `(${toldZone(zone())})`);
    field.disabled = time === null;
    // Nothing is written over what somebody types.
    if (document.activeElement === field && field.value !== shown) return;
    shown = time === null ? '' : clockText(Math.round(time / 1000) * 1000, zone());
    if (field.value !== shown) field.value = shown;
  };
  return { show };
};
