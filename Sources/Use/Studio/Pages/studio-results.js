// The results of the newest question, which the page's parts show.

import { showAllResult, showChanged, showTrackResult } from './studio-lists.js';
import { setWork } from './studio-link.js';
import { MonitoredSets } from './studio-moment.js';
import { settle } from './studio-view.js';
import { decodeRun } from './studio-wire.js';

/**
 * Sets up the results.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `choose(story)`, `redraw()`, `renewEvents()`, `forget()` once the
 *   results of stories have changed, and `settled(alerts)` with the alerts that the walks bring.
 */
export const openResults = (app, hooks) => {
  /** The share of the work on the newest question that is done: the walks are replayed, and with a phone simulated. */
  const workDone = () => {
    if (!app.scene.tracks.length) return 1;
    const { simulated } = app.chances;
    return simulated === null ? app.replayed : (app.replayed + simulated) / 2;
  };
  /** Keeps the results of stories on all walks, from rows of numbers. */
  const takeStories = (rows) => {
    app.stories = rows;
    app.results = new Map();
    for (const [id, alerts, suppressed, late, missed, start, tracks, track, reason] of rows) {
      app.results.set(id, { alerts, suppressed, late, missed, start, tracks, track, reason });
    }
    hooks.forget();
  };
  return {
    workDone,
    /** Shows the numbers of all walks. */
    takeProgress: (progress, isLast) => {
      app.replayed = progress.complete ? 1 : progress.done / progress.of;
      setWork(workDone());
      showAllResult(app, progress);
      if (!isLast) return;
      takeStories(progress.stories);
      hooks.redraw();
      if (app.scene.tracks.length !== 1) showChanged(app, progress.stories, hooks);
      hooks.settled(progress.tracks.reduce((sum, row) => sum + (row ? row[1] : 0), 0));
    },
    /** Shows the answer to a question. */
    take: (answer) => {
      app.command = answer.command;
      app.chanceCommand = answer.chanceCommand;
      app.changed = answer.changed;
      if (answer.run && app.track) {
        app.run = decodeRun(answer.run, app.track);
        app.sets = new MonitoredSets(app.run);
        hooks.renewEvents();
        settle(app);
      }
      showTrackResult(app);
      if (app.scene.tracks.length < 2) {
        app.replayed = 1;
        takeStories(answer.changed);
        showChanged(app, answer.changed, hooks);
        hooks.settled(answer.changed.reduce((sum, row) => sum + row[1], 0));
      }
      hooks.redraw();
    },
  };
};
