// The report's data in the form that the tables, the map and the plots use.

/**
 * A story and its results over all walks. `met` counts the walks that came inside its circle.
 *
 * @typedef {{ index: number, id: string, title: string, category: string, lat: number, lon: number, radius: number,
 *   url: string, met: number, lost: number, alerts: number, recall: number, moments: Moment[] }}
 * Story
 *
 * A walk and its results. `label` is its name without the folder that all walks share.
 *
 * @typedef {{ index: number, name: string, label: string, km: number, lost: number, recall: number,
 *   moments: Moment[] }} Track
 *
 * An entry into a circle. If `times` is more than 1, it stands for several in one place and
 * describes the first.
 *
 * @typedef {{ kind: string, story: number, track: number, x: number, y: number, lat: number, lon: number,
 *   times: number, seconds: number | null, detail: number, inside: number, speed: number }} Moment
 */

const data = JSON.parse(document.getElementById('data').textContent);
const KINDS = ['alert', 'suppressed', 'late', 'missed'];

/** A share in percent. Only exact values become 0 or 100. */
const percent = (a, b) => {
  if (!b) return '–';
  let tenths = Math.round(a / b * 1000);
  if (a < b) tenths = Math.min(tenths, 999);
  if (a > 0) tenths = Math.max(tenths, 1);
  return (tenths / 10).toFixed(1) + ' %';
};
const distance = (mm) =>
  mm == null
    ? '–'
    : mm < 10000
    ? (mm / 1000).toFixed(1) + ' m'
    : mm < 10000000
    ? Math.round(mm / 1000) + ' m'
    : (mm / 1e6).toFixed(1) + ' km';
/** A duration in seconds up to two minutes, in minutes up to two hours, then in hours. */
const span = (seconds) =>
  Math.abs(seconds) < 120
    ? `${Math.round(seconds)} s`
    : Math.abs(seconds) < 7200
    ? `${+(seconds / 60).toFixed(1)} min`
    : `${+(seconds / 3600).toFixed(1)} h`;

/** What the cells of a story's row are. */
const STORY_CELLS =
  ('id title category lat lon radius alerted suppressed late missed inside never alerts oracle found entries nearest ' +
    'nearestTrack why url priority persons reason dates odds').split(' ');
const stories = (data.stories || []).map((row, index) => {
  const one = {};
  STORY_CELLS.forEach((name, at) => {
    one[name] = row[at];
  });
  const { id, title, category, lat, lon, radius, entries, inside, nearest, late, missed } = one;
  return {
    ...one,
    index,
    title: title || id,
    lat: lat / 1e6,
    lon: lon / 1e6,
    miss: nearest == null || entries || inside ? null : nearest - radius * 1000,
    odds: one.odds || [],
    lost: late + missed,
    met: one.alerted + one.suppressed + late + missed + inside,
    recall: one.oracle ? one.found / one.oracle : -1,
    text: `${id} ${title} ${category}`.toLowerCase(),
    moments: [],
  };
});

// Simulated phones, each with the share of phones that alert for a story, on the walk where most do, and
// the mean number of their alerts on all walks.
const phones = data.phones || [];
for (const one of stories) {
  phones.forEach((phone, index) => {
    const odds = one.odds[index];
    [one['phone' + index], one['mean' + index]] = odds ? [odds[0], odds[5]] : [0, 0];
  });
}

const tracks = data.tracks || [];
// The folder that all walks share is named once, above the table.
const folder = tracks.length < 2 ? '' : tracks.map((one) => one.name).reduce((a, b) => {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return end ? a.slice(0, a.lastIndexOf('/', end - 1) + 1) : '';
});
tracks.forEach((one, index) => {
  Object.assign(one, {
    index,
    label: one.title ?? one.name.slice(folder.length),
    text: `${one.name} ${one.title ?? ''}`.toLowerCase(),
    lost: one.late + one.missed,
    km: one.mm / 1e6,
    recall: one.oracle ? one.found / one.oracle : -1,
    rate: one.mm ? one.refreshes / (one.mm / 1e6) : 0,
    moments: [],
    shares: new Map(),
  });
  (one.shown ?? []).forEach((mean, phone) => {
    one['mean' + phone] = mean ?? NaN;
  });
  for (let at = 0; at < (one.chances ?? []).length; at += 3) one.shares.set(one.chances[at], one.chances[at + 1]);
});
/** The share of phones that alert for a story on a walk, the first of the phones; null without one. */
const shareOn = (story, track) =>
  phones.length && Number.isFinite(tracks[track].mean0) ? tracks[track].shares.get(story) ?? 0 : null;

const moments = (data.entries || []).map(
  ([kind, story, track, lat, lon, times, seconds, detail, inside, speed]) => {
    const made = {
      kind: KINDS[kind],
      story,
      track,
      lat: lat / 1e6,
      lon: lon / 1e6,
      times,
      seconds,
      detail,
      inside,
      x: 0,
      y: 0,
      speed: speed < 0 ? -1 : speed / 10,
    };
    stories[story].moments.push(made);
    tracks[track].moments.push(made);
    return made;
  },
);
/** Whether the page has every entry, rather than one for several in a place. */
const hasAllMoments = moments.length === data.allEntries;

/** Spots where more circles overlap than the phone can watch. */
const spots = (data.spots || []).map(([lat, lon, circles, met, near], index) => (
  { index, lat, lon, circles, met, near, kind: 'crowd' }
));
const spotName = (spot) =>
  spot.near.length ? spot.near.map((index) => stories[index].title).join(', ') : `Spot ${spot.index + 1}`;

const zone = data.settings?.timeZone ?? 'Z';
const clock = (() => {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  };
  // Not every browser knows an offset as a zone.
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const ahead = sign ? Number(sign + 1) * (Number(hours) * 60 + Number(minutes)) * 60 : 0;
  const read = (name, end = '') => {
    const format = new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: name });
    return (seconds) => format.format((seconds + ahead) * 1000) + end;
  };
  try {
    return read(zone === 'Z' || sign ? 'UTC' : zone);
  } catch {
    return read('UTC', ' UTC');
  }
})();
/** The time of a moment in the zone of the analysis, which the head of the page names. */
const timeOf = (moment) => moment.seconds === null ? 'no time' : clock(moment.seconds);

/** The outcome of an entry in words. */
const outcomeOf = (moment) => {
  const more = moment.times > 1 ? `, ${count(moment.times)} times here` : '', chance = chanceOf(moment);
  if (chance !== null) return `${shareWords(chance)} of phones alert${more}`;
  if (moment.kind === 'late') {
    return `late${moment.detail >= 0 ? ` by ${span(moment.detail)}` : ''}${more}`;
  }
  if (moment.kind === 'missed') return `missed${moment.inside >= 0 ? `, ${span(moment.inside)} inside` : ''}${more}`;
  if (moment.kind === 'suppressed') {
    return `held back${moment.detail >= 0 ? `: ${data.reasons[moment.detail]}` : ''}${more}`;
  }
  return `alert${moment.speed >= 0 ? ` at ${+(moment.speed * 3.6).toFixed(1)} km/h` : ''}${more}`;
};

/** The share of phones that alert for a moment's story on its walk; null without one, or where the rules hold it back. */
const chanceOf = (moment) => {
  const share = shareOn(moment.story, moment.track);
  return moment.kind === 'suppressed' && share < NEVER ? null : share;
};
/** The kind of a moment's mark. With a phone the share of phones decides. */
const markOf = (moment) => {
  const chance = chanceOf(moment);
  return chance === null ? moment.kind : chance >= MOST_PHONES ? 'alert' : 'missed';
};
