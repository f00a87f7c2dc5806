// Sessions: the view as a file, to open later or elsewhere.

import { Problem } from './studio-wire.js';

const KIND = 'studio session', VERSION = 1;

/** The last part of a path. Folders differ between machines. */
const fileOf = (path) => path.slice(path.lastIndexOf('/') + 1);
const isObject = (one) => one !== null && typeof one === 'object' && !Array.isArray(one);

/** The names of walks without the folders that they share. */
export const shortNames = (names) => {
  const folders = names.map((name) => name.slice(0, name.lastIndexOf('/') + 1).split('/'));
  let shared = 0;
  while (
    folders.length && shared < folders[0].length - 1 &&
    folders.every((one) => one[shared] === folders[0][shared] && shared < one.length - 1)
  ) shared += 1;
  return names.map((name) => name.split('/').slice(shared).join('/'));
};

/** What walks are called: their own names, or else those of their files. */
export const shownNames = (tracks) => {
  const names = shortNames(tracks.map((one) => one.name));
  return tracks.map((one, index) => one.title ?? names[index]);
};

/**
 * The walk that a session names, which may be in another folder here; null if it is not open.
 *
 * @param {import('./studio-wire.js').TrackRow[]} tracks
 * @param {string} name
 */
const trackOf = (tracks, name) => {
  const exact = tracks.find((one) => one.name === name);
  if (exact) return exact;
  const likely = tracks.filter((one) => fileOf(one.name) === fileOf(name));
  const fitting = likely.length > 1 ? likely.filter((one) => one.name.endsWith('/' + name)) : likely;
  return fitting.length === 1 ? fitting[0] : null;
};

/**
 * The text of a file with the current session.
 *
 * @param app What the page shows; see `studio.js`.
 */
export const sessionOf = (app) => {
  const names = shortNames(app.scene.tracks.map((one) => one.name));
  const { lat, lng } = app.stage.map.getCenter(), round = (value) => Math.round(value * 1e5) / 1e5;
  return JSON.stringify(
    {
      fencepost: KIND,
      version: VERSION,
      store: fileOf(app.scene.store),
      tracks: app.scene.tracks.map(({ fixes }, index) => ({ name: names[index], fixes })),
      track: app.track ? names[app.number] : null,
      at: Math.round(app.ownNow),
      story: app.chosen,
      map: { lat: round(lat), lon: round(lng), zoom: app.stage.map.getZoom() },
      rules: app.edits.rules,
      changes: app.edits.changes(),
    },
    null,
    1,
  ) + '\n';
};

/** How many bytes to read to recognize a session. */
const HEAD = 200;
const BEGINNING = /^\s*\{\s*"fencepost"\s*:\s*"studio session"/;

/**
 * The text of a file that is a session or has the name of one; otherwise null.
 *
 * @param {File} file
 */
export const isSession = async (file) => {
  const head = await file.slice(0, HEAD).text();
  return BEGINNING.test(head) || /session.*\.json$/i.test(file.name) ? file.text() : null;
};

const isNumber = (value) => Number.isFinite(value);
/** Whether a value can be a story, or is null for a removed one. */
const isPlace = (id, place) =>
  place === null ||
  isObject(place) && place.id === id && isNumber(place.lat) && isNumber(place.lon) && place.radius > 0;
/** Whether a value can be rules: its members have the types of the known rules. */
const isRules = (rules, known) =>
  isObject(rules) && Object.keys(known).every((key) =>
    !(key in rules) ||
    rules[key] === null || known[key] === null || typeof rules[key] === typeof known[key]
  );
const isTracks = (list) => Array.isArray(list) && list.every((one) => isObject(one) && typeof one.name === 'string');
const isSetting = (one, scene) =>
  isObject(one) && isRules(one.rules ?? {}, scene.rules) &&
  isObject(one.changes ?? {}) && Object.entries(one.changes ?? {}).every(([id, place]) => isPlace(id, place));

/** Sentences about walks of a session that are not open here or have other fixes here. */
const missingTracks = (name, tracks, scene) => {
  const sentences = [];
  const list = (names) =>
    names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${count(names.length - 5)} more` : '');
  const absent = tracks.filter((one) => !trackOf(scene.tracks, one.name)).map((one) => one.name);
  const others = tracks.filter((one) => (trackOf(scene.tracks, one.name)?.fixes ?? one.fixes) !== one.fixes)
    .map((one) => one.name);
  if (absent.length === 1) {
    sentences.push(`${name} shows a walk that is not open here: ${absent[0]}. Drop it onto the page.`);
  } else if (absent.length) {
    sentences.push(`${name} shows walks that are not open here: ${list(absent)}. Drop them onto the page.`);
  }
  if (others.length) sentences.push(`${list(others)} had different fixes when ${name} was saved.`);
  return sentences;
};

/**
 * Reads a session.
 *
 * @param {string} name The file's name.
 * @param {string} text The file's text.
 * @param {import('./studio-wire.js').Scene} scene What is open here.
 * @returns {{view: import('./studio-wire.js').View, missing: string[]}} The view, and sentences about the parts of it
 *   that are not here.
 * @throws {Problem} If the session cannot be opened.
 */
export const readSession = (name, text, scene) => {
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Problem(`${name} is cut off or damaged: ${error.message}.`);
  }
  if (!isObject(json) || json.fencepost !== KIND) throw new Problem(`${name} is not a session of the studio.`);
  if (json.version !== VERSION) {
    throw new Problem(
      `${name} is a session of version ${json.version ?? 'unknown'}; this studio opens version ${VERSION}.`,
    );
  }
  const fits = isTracks(json.tracks ?? []) && isSetting(json, scene);
  if (!fits) throw new Problem(`${name} has rules or stories that cannot be read.`);

  const missing = missingTracks(name, json.tracks ?? [], scene);
  const track = typeof json.track === 'string' ? trackOf(scene.tracks, json.track)?.name ?? null : null;
  if (json.store !== fileOf(scene.store)) {
    missing.push(
      `${name} was saved with the stories of ${json.store}. This studio shows those of ${fileOf(scene.store)}.`,
    );
  }
  const words = new Set(['', ...scene.phones.map((one) => one.word)]);
  const rules = { ...scene.rules, ...json.rules };
  if (!words.has(rules.profile)) {
    missing.push(
      `${name} uses the profile ${rules.profile}, which this studio does not have. ` +
        'Start the studio with the file of that profile.',
    );
    rules.profile = '';
  }
  const isMap = isObject(json.map) && [json.map.lat, json.map.lon, json.map.zoom].every(isNumber);
  return {
    missing,
    view: {
      rules,
      changes: json.changes ?? {},
      track,
      now: track !== null && isNumber(json.at) ? json.at : null,
      story: typeof json.story === 'string' ? json.story : null,
      map: isMap ? json.map : null,
    },
  };
};
