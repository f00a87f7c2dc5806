// The report's data, as the tables, the map and the plots use it.

/**
 * A story, with what became of it over all tracks.
 *
 * @typedef {{ index: number, id: string, title: string, category: string, lat: number, lon: number, radius: number,
 *   url: string, met: number, lost: number, alerts: number, recall: number, moments: Moment[] }} Story
 *
 * A track, with its numbers.
 *
 * @typedef {{ index: number, name: string, label: string, km: number, lost: number, recall: number,
 *   moments: Moment[] }} Track
 *
 * An entry into a circle, or several in one place: where `times` is above 1 the rest is that of the first.
 *
 * @typedef {{ kind: string, story: number, track: number, x: number, y: number, lat: number, lon: number,
 *   times: number, seconds: number | null, detail: number, inside: number, speed: number }} Moment
 */

const data = JSON.parse(document.getElementById('data').textContent);
const KINDS = ['alert', 'suppressed', 'late', 'missed'];
const KIND_WORDS = { alert: 'alert', suppressed: 'held back', late: 'late entry', missed: 'missed entry' };

/** A share in percent, never 0 or 100 unless it is exactly that. */
const percent = (a, b) => {
  if (!b) return '–';
  let tenths = Math.round(a / b * 1000);
  if (a < b) tenths = Math.min(tenths, 999);
  if (a > 0) tenths = Math.max(tenths, 1);
  return (tenths / 10).toFixed(1) + ' %';
};
const distance = mm => mm == null ? '–' : mm < 100000 ? (mm / 1000).toFixed(1) + ' m'
  : mm < 10000000 ? Math.round(mm / 1000) + ' m' : (mm / 1e6).toFixed(1) + ' km';
/** A time span in words: seconds up to two minutes, then minutes, then hours. */
const span = seconds => Math.abs(seconds) < 120 ? `${Math.round(seconds)} s`
  : Math.abs(seconds) < 7200 ? `${+(seconds / 60).toFixed(1)} min` : `${+(seconds / 3600).toFixed(1)} h`;
const likelihood = share => share < 0 ? '' : share < .5 ? 'bad' : share < .8 ? 'warn' : 'good';

const stories = (data.stories || []).map((row, index) => {
  const [id, title, category, lat, lon, radius, alerted, suppressed, late, missed, inside, never, alerts, oracle,
    found, entries, nearest, nearestTrack, why, url, odds] = row;
  return {
    index, id, title: title || id, category, lat: lat / 1e6, lon: lon / 1e6, radius, alerted, suppressed, late,
    missed, inside, never, alerts, oracle, found, entries, nearest, nearestTrack, why, url,
    odds: odds || [], lost: late + missed, met: alerted + suppressed + late + missed + inside,
    recall: oracle ? found / oracle : -1, text: `${id} ${title} ${category}`.toLowerCase(), moments: [],
  };
});

// Simulated phones, each with a probability for each story that should alert.
const phones = data.phones || [];
for (const one of stories) phones.forEach((phone, index) => {
  one['phone' + index] = one.odds[index] ? one.odds[index][0] : -1;
});

const tracks = data.tracks || [];
// The folder that all tracks are in is said once, above the table.
const folder = tracks.length < 2 ? '' : tracks.map(one => one.name).reduce((a, b) => {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return end ? a.slice(0, a.lastIndexOf('/', end - 1) + 1) : '';
});
tracks.forEach((one, index) => {
  Object.assign(one, {
    index, label: one.name.slice(folder.length), text: one.name.toLowerCase(), lost: one.late + one.missed,
    km: one.mm / 1e6, recall: one.oracle ? one.found / one.oracle : -1,
    rate: one.mm ? one.refreshes / (one.mm / 1e6) : 0, moments: [],
  });
});

const moments = (data.entries || []).map(
  ([kind, story, track, lat, lon, times, seconds, detail, inside, speed]) => {
    const made = { kind: KINDS[kind], story, track, lat: lat / 1e6, lon: lon / 1e6, times, seconds, detail,
      inside, x: 0, y: 0, speed: speed < 0 ? -1 : speed / 10 };
    stories[story].moments.push(made);
    tracks[track].moments.push(made);
    return made;
  });
/** Whether each entry is there by itself, and not one for several in a place. */
const hasAllMoments = moments.length === data.allEntries;

/** Spots where more circles overlap than can be monitored. */
const spots = (data.spots || []).map(([lat, lon, circles, met, near], index) => (
  { index, lat, lon, circles, met, near, kind: 'crowd' }));
const spotName = spot => spot.near.length ? spot.near.map(index => stories[index].title).join(', ')
  : `Spot ${spot.index + 1}`;

const zone = data.settings?.timeZone ?? 'Z';
const zoneName = zone === 'Z' ? 'UTC' : zone;
const clock = (() => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit',
    second: '2-digit', hourCycle: 'h23' };
  try { return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone === 'Z' ? 'UTC' : zone }); }
  // A browser may not know an offset as a zone.
  catch { return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: 'UTC' }); }
})();
/** When a moment was, by the clock of the analysis. */
const timeOf = moment => moment.seconds === null ? 'no time' : clock.format(moment.seconds * 1000);

/** What became of a moment, in words. */
const outcomeOf = moment => {
  const more = moment.times > 1 ? `, ${count(moment.times)} times here` : '';
  if (moment.kind === 'late')
    return `late${moment.detail >= 0 ? ` by ${span(moment.detail)}` : ''}${more}`;
  if (moment.kind === 'missed') return `missed${moment.inside >= 0 ? `, ${span(moment.inside)} inside` : ''}${more}`;
  if (moment.kind === 'suppressed')
    return `held back${moment.detail >= 0 ? `: ${data.reasons[moment.detail]}` : ''}${more}`;
  return `alert${moment.speed >= 0 ? ` at ${+(moment.speed * 3.6).toFixed(1)} km/h` : ''}${more}`;
};
