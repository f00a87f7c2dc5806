// The state at one moment of a walk. Nothing here touches the page.

import { clockWords } from './studio-zone.js';

/** @typedef {import('./studio-wire.js').Track} Track */
/** @typedef {import('./studio-wire.js').Run} Run */

/** The last index whose value is at most `t`, or -1. */
export const lastBefore = (list, t, value = (one) => one) => {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(list[middle]) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** The compass course from one fix to another, in degrees. */
const bearing = (track, from, to) => {
  const radians = Math.PI / 180;
  const a = track.lat[from] * radians, b = track.lat[to] * radians;
  const turn = (track.lon[to] - track.lon[from]) * radians;
  const east = Math.sin(turn) * Math.cos(b);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
};

/** The direction of the path at a fix, in degrees; null if it stands still there. */
const headingAt = (track, i) => {
  const told = track.course?.[i];
  if (told !== undefined && told !== null) return told;
  for (let j = i + 1; j < Math.min(track.count, i + 6); j++) {
    if (track.lat[j] !== track.lat[i] || track.lon[j] !== track.lon[i]) return bearing(track, i, j);
  }
  for (let j = i - 1; j >= Math.max(0, i - 6); j--) {
    if (track.lat[j] !== track.lat[i] || track.lon[j] !== track.lon[i]) return bearing(track, j, i);
  }
  return null;
};

/**
 * The position at a moment: `fix` is the last fix passed, `part` the fraction of the way to the
 * next one.
 *
 * @param {Track} track
 * @param {Run|null} run
 */
export const positionAt = (track, run, t) => {
  const last = track.count - 1;
  const fix = Math.min(last, Math.max(0, lastBefore(track.clock, t)));
  const span = fix < last ? track.clock[fix + 1] - track.clock[fix] : 0;
  // Within a gap, the position is unknown.
  const isBroken = run?.breaks.has(fix + 1) ?? false;
  const part = span > 0 && !isBroken ? Math.min(1, (t - track.clock[fix]) / span) : 0;
  const mix = (list) => list[fix] + (part ? part * (list[fix + 1] - list[fix]) : 0);
  const x = mix(track.x), y = mix(track.y);
  const here = track.time[fix], next = fix < last ? track.time[fix + 1] : null;
  return {
    fix,
    part,
    x,
    y,
    lat: mix(track.lat),
    lon: part ? (x - .5) * 360 : track.lon[fix],
    isBroken,
    time: here === null ? null : part && next !== null ? here + part * (next - here) : here,
    heading: headingAt(track, fix),
    speed: track.speed?.[fix] ?? impliedSpeed(track, fix),
    accuracy: track.accuracy?.[fix] ?? null,
  };
};

/**
 * The distance in meters, from the radii of curvature at the mean latitude; within 0.01 % up to 100
 * km.
 */
export const metersBetween = (lat1, lon1, lat2, lon2) => {
  const radians = Math.PI / 180, middle = (lat1 + lat2) / 2 * radians;
  const share = 1 - 0.00669437999014 * Math.sin(middle) ** 2;
  const across = 6378137 / Math.sqrt(share), along = across * 0.99330562000986 / share;
  const east = (nearestTurn(lon2, lon1) - lon1) * radians * across * Math.cos(middle);
  return Math.hypot(east, (lat2 - lat1) * radians * along);
};

const impliedSpeed = (track, fix) => {
  if (fix === 0 || track.time[fix] === null || track.time[fix - 1] === null) return null;
  const seconds = (track.time[fix] - track.time[fix - 1]) / 1000;
  if (!(seconds > 0)) return null;
  return metersBetween(track.lat[fix - 1], track.lon[fix - 1], track.lat[fix], track.lon[fix]) / seconds;
};

const KEYFRAME = 64;

/** The watched stories after each lookup. Keeps every 64th set and derives the others from it. */
export class MonitoredSets {
  /** @param {Run} run */
  constructor(run) {
    this.refreshes = run.refreshes;
    /** @type {string[][]} */
    this.kept = [[]];
  }

  /** The set after the lookup with an index; empty for -1. */
  after(index) {
    if (index < 0) return new Set();
    const wanted = Math.floor((index + 1) / KEYFRAME);
    while (this.kept.length <= wanted) {
      const known = this.kept.length - 1;
      this.kept.push([...this.replay(new Set(this.kept[known]), known * KEYFRAME, (known + 1) * KEYFRAME)]);
    }
    return this.replay(new Set(this.kept[wanted]), wanted * KEYFRAME, index + 1);
  }

  replay(set, from, to) {
    for (let i = from; i < to; i++) {
      for (const id of this.refreshes[i].removed) set.delete(id);
      for (const id of this.refreshes[i].added) set.add(id);
    }
    return set;
  }
}

/**
 * The whole state at a moment.
 *
 * @param {Track} track
 * @param {Run} run
 * @param {MonitoredSets} sets
 */
export const stateAt = (track, run, sets, t) => {
  const index = lastBefore(run.refreshes, t, (one) => one.at);
  return {
    position: positionAt(track, run, t),
    refresh: run.refreshes[index] ?? null,
    refreshIndex: index,
    monitored: sets.after(index),
    inside: new Set(run.spans.filter((one) => one.from <= t && t <= one.to).map((one) => one.story)),
    missed: run.entries.filter((one) =>
      (one.kind === 'missed' || one.kind === 'late') &&
      one.at <= t && t <= one.until
    ),
  };
};

/** The time of a state in words, or its fix on a walk without times. */
export const stateWords = (state, track, zone) => {
  if (!state) return 'no walk';
  const { time, fix } = state.position;
  return time === null ? `fix ${fix} of ${track.count}` : clockWords(time, zone);
};

/** The events of a walk in order: entries and, if wanted, lookups. */
export const eventsOf = (run, withRefreshes) => {
  const events = run.entries.map((entry) => ({ at: entry.at, kind: entry.kind, entry, refresh: null }));
  if (withRefreshes) {
    for (const refresh of run.refreshes) events.push({ at: refresh.at, kind: 'refresh', entry: null, refresh });
  }
  return events.sort((a, b) => a.at - b.at);
};
