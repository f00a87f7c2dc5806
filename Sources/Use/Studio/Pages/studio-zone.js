// Times in the studio's zone, as shown and as typed.

const DAY = 86400000;
const FIXED = /^([+-])(\d{2}):?(\d{2})$/;
/** A formatter for each zone; making one is slow. @type {Map<string, Intl.DateTimeFormat|null>} */
const formats = new Map();

const formatOf = (zone) => {
  if (!formats.has(zone)) {
    let made = null;
    try {
      made = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch { /* For a zone that the browser does not know, times are in UTC. */ }
    formats.set(zone, made);
  }
  return formats.get(zone);
};

/**
 * How far a zone is ahead of UTC at a time, in milliseconds; null if the browser does not know the
 * zone.
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
  const part = Object.fromEntries(format.formatToParts(milliseconds).map((one) => [one.type, Number(one.value)]));
  const told = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return told - Math.floor(milliseconds / 1000) * 1000;
};

/**
 * The name of the zone of shown times: the studio's, or UTC if the browser does not know that zone.
 */
export const toldZone = (zone) => zone === 'Z' || offsetOf(zone, 0) === null ? 'UTC' : zone;

/** A time as digits, such as `2026-03-04 17:05:30`. */
export const clockText = (milliseconds, zone) => {
  const whole = Math.floor(milliseconds), told = new Date(whole + (offsetOf(zone, whole) ?? 0)).toISOString();
  return told.replace('T', ' ').replace(/(\.000)?Z$/, '');
};

const SPOKEN = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A time in words. The page names its zone beside the field “Go to”. */
export const clockWords = (milliseconds, zone) =>
  milliseconds === null ? 'no time' : SPOKEN.format(milliseconds + (offsetOf(zone, milliseconds) ?? 0));

const TYPED =
  /^(?:(\d{4})-(\d{1,2})-(\d{1,2}))?(?:[T ]+)?(?:(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/**
 * The time that a reader typed: a date, a time of day or both, in the studio's zone or that of a
 * `Z` or an offset at
 * the end.
 *
 * @param {string} text
 * @param {string} zone The studio's zone.
 * @param {number|null} near A time on the day that a text without a date means; null to require a date.
 * @returns {number|null} Milliseconds since 1970; null if the text is not a time.
 */
export const instantOf = (text, zone, near = null) => {
  const parts = TYPED.exec(text.trim());
  if (!parts || !parts[1] && !parts[4] || !parts[1] && near === null) return null;
  const own = !parts[7] ? zone : /^[+-]/.test(parts[7]) ? parts[7] : 'UTC';
  const [hour, minute, second] = [parts[4], parts[5], parts[6]].map((one) => Number(one ?? 0));
  if (hour > 24 || minute > 59 || second >= 60 || hour === 24 && minute + second > 0) return null;
  let day;
  if (parts[1]) {
    day = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
    // Refuse days such as April 31.
    if (new Date(day).getUTCMonth() !== Number(parts[2]) - 1 || new Date(day).getUTCDate() !== Number(parts[3])) {
      return null;
    }
  } else {
    day = Math.floor((near + (offsetOf(own, near) ?? 0)) / DAY) * DAY;
  }
  const told = day + (hour * 60 + minute) * 60000 + Math.round(second * 1000);
  // Use the offset at the time itself, because the clocks may change between it and the first
  // guess.
  const guess = told - (offsetOf(own, told) ?? 0);
  return told - (offsetOf(own, guess) ?? 0);
};

/** A time in the form that stories have. */
export const isoText = (milliseconds) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
