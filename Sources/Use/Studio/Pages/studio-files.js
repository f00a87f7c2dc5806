// Files that are dropped or opened: walks, folders of walks, stories, advice, rules and sessions.
// And the sample.

import { isSession, readSession } from './studio-session.js';
import { asOwn } from './studio-link.js';
import { listOf, open } from './studio-save.js';
import { getScene, postPlaces, postRules, postSample, postTrack } from './studio-wire.js';

const MOST_BYTES = 256 * 2 ** 20, MOST_SENTENCES = 3;

/** The files in a dropped folder and its subfolders, by name. */
const filesIn = async (entry) => {
  if (entry.isFile) {
    return [
      await new Promise((resolve, reject) => {
        entry.file(resolve, reject);
      }),
    ];
  }
  const reader = entry.createReader(), inside = [];
  for (;;) {
    // Browsers return about a hundred entries at a time.
    const some = await new Promise((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (!some.length) break;
    inside.push(...some);
  }
  inside.sort((a, b) => a.name < b.name ? -1 : 1);
  return (await Promise.all(inside.map(filesIn))).flat();
};
/**
 * All files of a drop. The entries are only valid during the event, so all are taken before
 * anything is awaited.
 */
const filesOf = async (transfer) => {
  const entries = [...transfer.items].filter((one) => one.kind === 'file')
    .map((one) => one.webkitGetAsEntry?.() ?? one.getAsFile());
  const files = await Promise.all(entries.map((one) => one instanceof File ? [one] : filesIn(one)));
  return { files: files.flat(), hasFolder: entries.some((one) => one?.isDirectory) };
};

/** Whether a file is rules, by its name, or else advice, stories or a walk, by its first line. */
const kindOf = async (file) => {
  if (/\.ya?ml$/i.test(file.name)) return 'rules';
  const line = (await file.slice(0, 4096).text()).replace(/^\ufeff/, '').split(/\r?\n/, 1)[0];
  if (/^\s*\{"type":"(proposal|advice)"/.test(line)) return 'advice';
  const names = line.toLowerCase().split(/[,;\t]/).map((name) => name.replaceAll('"', '').trim());
  const has = (name) => names.includes(name);
  return has('id') && has('lat') && has('lon') && !has('time') && (has('title') || has('radius')) ? 'stories' : 'track';
};

/**
 * Sets up dropping and opening files.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `notify`, `setLink`, `setReady`, `showScene`, `showTab`, `chooseTrack`, `takeAdvice`,
 *   `restore(view)`.
 * @returns `takeRules(file)`, which opens a file as rules whatever its name.
 */
export const wireFiles = (app, hooks) => {
  /** Changes the stories of a file that differ, in one step; asks first if some of them are new. */
  const takeStories = async (file, { stories, notices }) => {
    const added = stories.filter((one) => !app.edits.places.has(one.id)).length;
    if (!added) return applyStories(file, stories, notices, added);
    const words = `${file.name} is a list of ${count(stories.length)} ${stories.length === 1 ? 'story' : 'stories'}` +
      `${added < stories.length ? `, ${count(added)} of them new` : ''}. Nothing is saved before you choose Save.`;
    open('Add these stories?', [element('p', words), ...notices.length ? [listOf(notices)] : []], [
      ['Cancel'],
      [
        `Add ${count(added)} ${added === 1 ? 'story' : 'stories'}`,
        () => applyStories(file, stories, [], added),
        'add-stories',
      ],
    ]);
  };
  const applyStories = (file, stories, notices, added) => {
    const before = Object.keys(app.edits.changes()).length;
    app.edits.change(`Open ${file.name}`, stories.map((place) => ({ id: place.id, after: place })));
    const differ = Object.keys(app.edits.changes()).length - before;
    const words = differ < 0
      ? `${count(-differ)} fewer changes than before`
      : `${count(differ)} more changes than before`;
    for (const notice of notices) hooks.notify(notice);
    showWelcome(app, hooks);
    hooks.notify(
      `${file.name}: ${count(stories.length)} stories, ${count(added)} of them new; ${words}. ` +
        'Other stories stay as they are.',
      false,
    );
  };
  const takeFile = async (file) => {
    if (file.size > MOST_BYTES) {
      throw new Error(
        `${file.name} has ${Math.round(file.size / 1e6)} MB, more than the 268 MB that you can drop. ` +
          'Name it on the command line instead: fencepost studio FILE.',
      );
    }
    const session = await isSession(file);
    if (session !== null) return () => takeSession(file.name, session);
    const kind = await kindOf(file);
    if (kind === 'advice') return hooks.takeAdvice(await file.text(), file.name);
    if (kind === 'stories') return takeStories(file, await postPlaces(file));
    if (kind === 'rules') return takeRules(file);
    const answer = await asOwn('walks', () => postTrack(file), ({ scene }) => Boolean(scene));
    if (answer.stories) return takeStories(file, answer);
    app.scene = answer.scene;
    app.walks.noteAdded(app.scene.tracks.length - 1);
    return 'track';
  };
  /** Reads a file of rules and changes to them, in one step. */
  const takeRules = async (file) => {
    const { rules, notices } = await postRules(file);
    app.edits.setRules(`Open ${file.name}`, rules);
    for (const notice of notices) hooks.notify(`${notice}.`);
    hooks.showTab('tab-rules');
  };
  const takeSession = async (name, text) => {
    const { view, missing } = readSession(name, text, app.scene);
    await hooks.restore(view);
    for (const sentence of missing) hooks.notify(sentence);
  };
  /** Opens files; sessions last, because they may name walks among these files. */
  const takeAll = async ({ files, hasFolder }) => {
    const wrong = [], sessions = [];
    let tracks = 0;
    const attempt = async (action) => {
      try {
        return await action();
      } catch (error) {
        wrong.push(error.message);
        return null;
      }
    };
    for (const file of files) {
      const taken = await attempt(() => takeFile(file));
      if (taken === 'track') tracks += 1;
      else if (typeof taken === 'function') sessions.push(taken);
    }
    if (tracks) {
      hooks.showScene();
      await hooks.chooseTrack(app.scene.tracks.length - 1);
      app.stage.fit();
    }
    for (const open of sessions) await attempt(open);
    if (hasFolder && !files.length) wrong.push('The folder is empty.');
    for (const sentence of wrong.slice(0, MOST_SENTENCES)) hooks.notify(sentence);
    if (wrong.length > MOST_SENTENCES) {
      hooks.notify(`${count(wrong.length - MOST_SENTENCES)} more files cannot be read.`);
    }
  };
  const take = async (coming) => {
    hooks.setLink('wait', 'reading');
    try {
      await takeAll(await coming);
    } catch {
      hooks.notify('The dropped files cannot be read.');
    }
    if ($('link').dataset.state === 'wait') hooks.setReady();
  };
  if (isSent) return { takeRules };
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer) take(filesOf(event.dataTransfer));
  });
  const chooser = $('open-file');
  $('open').addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', async () => {
    await take({ files: [...chooser.files], hasFolder: false });
    chooser.value = '';
  });
  return { takeRules };
};

/** Offers a sample if there are no stories or no walks. */
export const showWelcome = (app, hooks) => {
  const box = $('welcome'), hasStories = app.edits.places.size > 0, hasTracks = app.scene.tracks.length > 0;
  box.hidden = isSent || hasStories && hasTracks;
  if (box.hidden) return;
  const parts = [
    element(
      'p',
      hasStories
        ? 'No walks yet. Drop a GPX, NMEA, FIT or KML file here, or a folder of them.'
        : hasTracks
        ? 'No stories yet. Add one, or try the sample.'
        : 'Nothing to see yet. Drop a walk here, or try the sample.',
    ),
  ];
  if (!hasStories) {
    const button = element('button', 'Show the sample');
    button.type = 'button';
    button.id = 'sample';
    button.addEventListener('click', () => takeSample(app, hooks));
    parts.push(button);
  }
  box.replaceChildren(...parts);
};
const takeSample = async (app, hooks) => {
  try {
    const { stories } = await asOwn('walks', postSample);
    app.scene = await getScene();
    app.edits.change('Add the sample', stories.map((place) => ({ id: place.id, after: place })));
    hooks.showScene();
    await hooks.chooseTrack(app.scene.tracks.length - 1);
    app.stage.fit();
  } catch (error) {
    hooks.notify(error.message);
  }
};
