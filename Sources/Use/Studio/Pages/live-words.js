// Distances, speeds and times in the words of the live page.

let isImperial = false;
const METERS = { ft: .3048, mi: 1609.344 };
/** A distance in the units of the state, given in meters. */
const distanceWords = (value) => {
  const [short, long, most] = isImperial
    ? [value / METERS.ft, value / METERS.mi, 1000 * METERS.ft]
    : [value, value / 1000, 1000];
  return value < most
    ? `${short < 10 ? short.toFixed(1) : Math.round(short)} ${isImperial ? 'ft' : 'm'}`
    : `${long.toFixed(long < 10 ? 2 : 1)} ${isImperial ? 'mi' : 'km'}`;
};
/** A speed in the units of the state, given in meters per second. */
const speedWords = (value) =>
  isImperial ? `${(value * 3600 / METERS.mi).toFixed(1)} mph` : `${(value * 3.6).toFixed(1)} km/h`;
/** The zone of shown times: that of the state if the browser knows it. */
let zone = 'UTC';
const takeZone = (name) => {
  const wanted = name === 'Z' ? 'UTC' : name;
  try {
    new Date().toLocaleTimeString('en-GB', { timeZone: wanted });
    zone = wanted;
  } catch {
    zone = 'UTC';
  }
  $('zone').textContent = zone;
};
/** A time in the zone, with the date unless it is today there. */
const clock = (iso) => {
  const time = new Date(iso), words = time.toLocaleTimeString('en-GB', { timeZone: zone });
  const day = (one) =>
    one.toLocaleDateString('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' });
  return day(time) === day(new Date()) ? words : `${day(time)}, ${words}`;
};
/** A date and a time in the zone. */
const fullClock = (iso) =>
  new Date(iso).toLocaleString('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
const ageWords = (seconds) =>
  seconds < 100
    ? `${Math.max(0, Math.round(seconds))} s ago`
    : seconds < 5940
    ? `${Math.round(seconds / 60)} min ago`
    : seconds < 172000
    ? `${Math.round(seconds / 3600)} h ago`
    : `${count(Math.round(seconds / 86400))} days ago`;
