// Instants as a clock in the session's zone tells them, and as people type them.

const DAY = 86400000;
const FIXED = /^([+-])(\d{2}):?(\d{2})$/;
/** A formatter for each zone: making one takes far longer than using it. @type {Map<string, Intl.DateTimeFormat|null>} */
const formats = new Map();

const formatOf = zone => {
  if (!formats.has(zone)) {
    let made = null;
    try {
      made = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric',
        day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
    } catch { /* A zone that the browser does not know is told by UTC. */ }
    formats.set(zone, made);
  }
  return formats.get(zone);
};

/**
 * How far a zone's clock is ahead of UTC at an instant, in milliseconds; null for a zone that the browser does not know.
 *
 * @param {string} zone A name such as `America/New_York`, or an offset such as `-05:00`.
 * @param {number} milliseconds Since 1970.
 */
export const offsetOf = (zone, milliseconds) => {
  const fixed = FIXED.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60000;
  if (zone === 'UTC' || zone === 'Z') return 0;
  const format = formatOf(zone);
  if (!format) return null;
  const part = Object.fromEntries(format.formatToParts(milliseconds).map(one => [one.type, Number(one.value)]));
  const told = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return told - Math.floor(milliseconds / 1000) * 1000;
};

/** The zone by which an instant is told: the session's, or UTC if the browser does not know that. */
export const toldZone = zone => zone === 'Z' || offsetOf(zone, 0) === null ? 'UTC' : zone;

/** An instant as the session's clock tells it, `2026-03-04 17:05:30`; without its zone. */
export const clockText = (milliseconds, zone) => {
  const whole = Math.floor(milliseconds), told = new Date(whole + (offsetOf(zone, whole) ?? 0)).toISOString();
  return told.replace('T', ' ').replace(/(\.000)?Z$/, '');
};

const SPOKEN = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric',
  hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** An instant in words, with the zone whose clock tells it. */
export const clockWords = (milliseconds, zone) => milliseconds === null ? 'no time'
  : `${SPOKEN.format(milliseconds + (offsetOf(zone, milliseconds) ?? 0))} ${toldZone(zone)}`;

const TYPED = /^(?:(\d{4})-(\d{1,2})-(\d{1,2}))?(?:[T ]+)?(?:(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/**
 * The instant that somebody types: a date, a time of day or both; by the session's clock, or by that of a `Z` or an
 * offset at the end.
 *
 * @param {string} text
 * @param {string} zone The session's zone.
 * @param {number|null} near An instant on the day that is meant without a date; null if a date is needed.
 * @returns {number|null} Milliseconds since 1970; null if the text is not understood.
 */
export const instantOf = (text, zone, near = null) => {
  const parts = TYPED.exec(text.trim());
  if (!parts || !parts[1] && !parts[4] || !parts[1] && near === null) return null;
  const own = !parts[7] ? zone : /^[+-]/.test(parts[7]) ? parts[7] : 'UTC';
  const [hour, minute, second] = [parts[4], parts[5], parts[6]].map(one => Number(one ?? 0));
  if (hour > 24 || minute > 59 || second >= 60 || hour === 24 && minute + second > 0) return null;
  let day;
  if (parts[1]) {
    day = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
    // The 31st of April is no day.
    if (new Date(day).getUTCMonth() !== Number(parts[2]) - 1 || new Date(day).getUTCDate() !== Number(parts[3])) return null;
  } else {
    day = Math.floor((near + (offsetOf(own, near) ?? 0)) / DAY) * DAY;
  }
  const told = day + (hour * 60 + minute) * 60000 + Math.round(second * 1000);
  // The offset at the instant itself: the first guess may be on the other side of a change of the clocks.
  const guess = told - (offsetOf(own, told) ?? 0);
  return told - (offsetOf(own, guess) ?? 0);
};

/** The same as a place has it. */
export const isoText = milliseconds => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
