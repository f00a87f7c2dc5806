// Opens the views that addresses name.

import { readAddress } from './studio-address.js';
import { metersBetween } from './studio-moment.js';

/** @typedef {import('./studio-wire.js').Track} Track */

/** The moment of a time on a walk's time line. @param {Track} track */
export const clockAt = (track, milliseconds) => {
  const { time, clock } = track;
  let best = 0, least = Infinity;
  for (let i = 0; i < track.count; i++) {
    if (time[i] === null) continue;
    const before = i ? time[i - 1] : null;
    if (before !== null && before <= milliseconds && milliseconds < time[i]) {
      return clock[i - 1] + (milliseconds - before) / (time[i] - before) * (clock[i] - clock[i - 1]);
    }
    const gap = Math.abs(time[i] - milliseconds);
    if (gap < least) {
      least = gap;
      best = i;
    }
  }
  return clock[best];
};

/** The moment of the fix nearest to a point. @param {Track} track */
const clockNear = (track, lat, lon) => {
  let best = 0, least = Infinity;
  for (let i = 0; i < track.count; i++) {
    const far = metersBetween(lat, lon, track.lat[i], track.lon[i]);
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return track.clock[best];
};

/** The moment that a view names, or null. */
const momentOf = (track, view) =>
  view.now !== null
    ? view.now
    : view.when !== null
    ? clockAt(track, view.when * 1000)
    : view.near
    ? clockNear(track, view.near.lat, view.near.lon)
    : null;

/**
 * Changes to the stories and rules of a view, in one step; does nothing if the view names neither.
 */
export const takeChanges = (app, view) => {
  if (!view.changes && !view.rules) return;
  const { edits } = app;
  edits.become('Open a link', view.changes ?? {}, { ...edits.startRules, ...view.rules });
};

/** Shows the walk, the moment, the story and the map of a view. */
export const showView = async (app, view, hooks) => {
  const found = view.track === null ? app.number : app.scene.tracks.findIndex((one) => one.name === view.track);
  if (found < 0) hooks.notify(`The link leads to the walk ${view.track}, which this studio does not have.`);
  const number = Math.max(0, found);
  if (!app.track || number !== app.number) await hooks.chooseTrack(number);
  const at = app.track && found >= 0 ? momentOf(app.track, view) : null;
  if (at !== null) {
    app.player.pause();
    app.player.seek(app.walks.toShared(at));
    if (view.story && view.when !== null) app.aim = { story: view.story, at };
  }
  const isKnown = view.story !== null && app.edits.places.has(view.story);
  if (view.story !== null && !isKnown) {
    hooks.notify(`The link leads to the story ${view.story}, which this studio does not have.`);
  }
  if (view.map) app.stage.map.setView([view.map.lat, view.map.lon], view.map.zoom, { animate: false });
  if (isKnown) hooks.choose(view.story, !view.map);
  else if (view.near && !view.map) app.stage.show({ id: '', ...view.near, radius: 1 });
  settle(app);
};

// Addresses have whole seconds.
const SLACK = 1500;

/** Moves from the rounded time of a link to the exact entry, once the entries are known. */
export const settle = (app) => {
  if (!app.aim || !app.run) return;
  const { story, at } = app.aim;
  app.aim = null;
  const near = app.run.entries.filter((one) => one.story === story && Math.abs(one.at - at) <= SLACK)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  if (near && Math.abs(app.ownNow - at) < 1) app.player.seek(app.walks.toShared(near.at));
};

/** Follows the address when a link, or Back and Forward, change it. */
export const watchAddress = (app, hooks) =>
  addEventListener('hashchange', () => {
    const next = readAddress(location.hash);
    // Back and Forward change the view and keep the changes.
    if (history.state?.isOwn) {
      if (next.story === null) hooks.choose(null);
      return showView(app, { ...next, now: null, when: null }, hooks);
    }
    takeChanges(app, next);
    showView(app, next, hooks);
  });
