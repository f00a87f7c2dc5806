// Files that are dropped or opened: tracks for the engine, sessions for the page; and the sample.

import { isSession, readSession } from './studio-session.js';
import { getScene, postSample, postTrack } from './studio-wire.js';

/**
 * Sets up the ways in which files come.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `showScene()`, `openTrack(number)`, `restore(view)`, `link(state, words)`, `notify(sentence)`.
 */
export const openFiles = (app, hooks) => {
  const show = async scene => {
    app.scene = scene;
    hooks.showScene();
    await hooks.openTrack(app.scene.tracks.length - 1);
    app.stage.fit();
  };
  const takeSession = async (name, text) => {
    const { view, missing } = readSession(name, text, app.scene);
    await hooks.restore(view);
    for (const sentence of missing) hooks.notify(sentence);
  };
  /** Reads a file and shows it. */
  const take = async file => {
    hooks.link('wait', 'reading');
    try {
      const text = await isSession(file);
      if (text !== null) await takeSession(file.name, text);
      else await show(await postTrack(file));
    } catch (error) {
      hooks.notify(error.message);
    }
    hooks.link('live', 'ready');
  };
  const takeSample = async () => {
    try {
      const { stories } = await postSample();
      app.edits.change('Add the sample', stories.map(place => ({ id: place.id, after: place })));
      await show(await getScene());
    } catch (error) {
      hooks.notify(error.message);
    }
  };

  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', async event => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) await take(file);
  });
  const chooser = $('open-file');
  $('open').addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', async () => {
    for (const file of [...chooser.files]) await take(file);
    chooser.value = '';
  });

  return {
    /** Offers a sample where there is nothing to see yet. */
    showWelcome: () => {
      const box = $('welcome'), hasStories = app.edits.places.size > 0, hasTracks = app.scene.tracks.length > 0;
      box.hidden = hasStories && hasTracks;
      if (box.hidden) return;
      const parts = [element('p', hasStories ? 'No track yet. Drop one here: GPX, NMEA, FIT, KML and others.'
        : hasTracks ? 'The store has no stories yet. Add one, or look at a sample.'
          : 'Nothing to see yet. Drop a track here, or look at a sample.')];
      if (!hasStories) {
        const button = element('button', 'Show the sample');
        button.type = 'button';
        button.id = 'sample';
        button.addEventListener('click', takeSample);
        parts.push(button);
      }
      box.replaceChildren(...parts);
    },
  };
};
