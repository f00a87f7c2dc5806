// News from the server: showing its stories and walks again after they changed there.

import { getScene, postReload } from './studio-wire.js';

/**
 * Sets up what the page does at news.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `showScene()`, `openTrack(number, now)`, `ask()`, `showEdits()`.
 */
export const openNews = (app, { showScene, openTrack, ask, showEdits }) => {
  /** Continues with a restarted server: with its stories and walks, and the changes made here. */
  const comeBack = async () => {
    const name = app.track?.name;
    app.scene = await getScene();
    app.edits.rebase(app.scene.stories);
    showScene();
    const number = Math.max(0, app.scene.tracks.findIndex((one) => one.name === name));
    if (app.scene.tracks.length) await openTrack(number, app.ownNow);
    afterRebase();
  };
  /** Shows the walks that the server has now, and opens the one with a name, or that of the same number. */
  const renewWalks = async (name = app.track?.name) => {
    const before = app.number, at = name === app.track?.name ? app.ownNow : 0;
    app.scene = await getScene();
    app.track = app.run = app.state = null;
    showScene();
    const found = app.scene.tracks.findIndex((one) => one.name === name);
    if (app.scene.tracks.length) {
      await openTrack(found >= 0 ? found : Math.min(before, app.scene.tracks.length - 1), at);
    } else {
      app.number = 0;
      app.player.open(0);
      app.stage.openTracks();
      ask();
    }
  };
  const afterRebase = () => {
    app.stage.draw(true);
    showEdits();
    ask();
  };
  /** Merges the changes of others with those made here; `takesTheirs(story)` decides where both changed a story. */
  const merge = async (takesTheirs) => {
    const before = app.edits.base;
    await postReload();
    app.scene = await getScene();
    app.edits.rebase(app.scene.stories, before, takesTheirs);
    afterRebase();
  };
  return { comeBack, renewWalks, afterRebase, merge };
};
