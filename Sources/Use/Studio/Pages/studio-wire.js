// Requests to the server, questions to the engine, and the form in which the page keeps the answers.

import { startEngine, tellEngine } from './studio-engine.js';
import { sentAnswer, sentWorker } from './studio-sent.js';

/**
 * @typedef {{id: string, title?: string, lat: number, lon: number, radius: number, blurb?: string,
 *   url?: string, category?: string, priority?: number, published?: string, expires?: string}}
 * Place
 * @typedef {{zone: string, profile: string, trials: number, seed: number}} Rules
 *   With a value for each field of a scene.
 * @typedef {{key: string, words: string, group: string, kind: string, none: string|null, choices?: string[][],
 *   least?: number, most?: number}} RuleField How to show a rule: `kind` says what its value is.
 * @typedef {{word: string, isOwn: boolean, title: string, rules: Rules}} Phone
 * @typedef {{name: string, fixes: number, rejected: number, first: string|null, lines: number[][]}} TrackRow
 * @typedef {{store: string, canSave: boolean, zone: string, arguments: string, rules: Rules,
 *   reminders: boolean, fields: RuleField[], plain: Rules, phones: Phone[], notices: string[], tracks: TrackRow[],
 *   stories: Place[]}} Scene
 * @typedef {{name: string, count: number, lat: Float64Array, lon: Float64Array, x: Float64Array,
 *   y: Float64Array, time: (number|null)[], clock: Float64Array, speed: (number|null)[]|null,
 *   course: (number|null)[]|null, accuracy: (number|null)[]|null, segment: number[]|undefined, notices: string[]}} Track
 * @typedef {{story: string, fix: number, fraction: number, at: number, until: number, time: number|null,
 *   lat: number, lon: number, kind: string, reason: string}} Entry
 * @typedef {{fix: number, fraction: number, at: number, lat: number, lon: number, radius: number|null,
 *   reach: number|null, next: number|null, failed: boolean, added: string[], removed: string[]}}
 * Refresh
 * @typedef {{entries: Entry[], refreshes: Refresh[], spans: {story: string, from: number, to: number}[],
 *   breaks: Set<number>, length: number, certified: boolean|null}} Run
 * @typedef {{alerts: number, share: number, isDue: boolean, low: number, high: number, loss: string,
 *   dots?: [number[], string]|null}} Odds The alerts of all trials, and the share of phones that alert with its interval.
 * @typedef {{question: number, trials: number, done: number, of: number, complete: boolean, untimed: number,
 *   failures: string[], dots: [number[], string]|null, shown: Map<string, Odds>, stories: Map<string, Odds>}} Chances
 * @typedef {{time: number, number: number, changes: {id: string, before: Place|null, after: Place|null}[]}} Save A save with
 *   its time and its number of changes, which are left out if they are too many. Texts that a change keeps are empty.
 * @typedef {{track: string|null, now: number|null, story: string|null,
 *   map: {lat: number, lon: number, zoom: number}|null, rules: Rules|null,
 *   changes: Object<string, Place|null>|null}} View
 */

/** An error whose message is a sentence for the reader. */
export class Problem extends Error {}

export const LOST = 'The studio does not answer. Is fencepost studio still running? ' +
  'If you started it again, open the address that it printed.';

const UNSENT = 'This page was sent as a file, which cannot do that. Open the walk in fencepost studio.';

/** Adds a capital and a period. A file name at the beginning stays as it is. */
const sentenceOf = (words) => (/^[a-z]+[ ,]/.test(words) ? words[0].toUpperCase() + words.slice(1) : words) + '.';

// ---- the server

const ask = async (path, options = {}) => {
  if (isSent) {
    const answer = sentAnswer(path);
    if (answer === undefined) throw new Problem(UNSENT);
    return answer;
  }
  let answer;
  try {
    answer = await fetch(path, { cache: 'no-store', ...options });
  } catch {
    throw new Problem(LOST);
  }
  if (!answer.ok) {
    const words = (await answer.text()).trim();
    throw new Problem(words ? sentenceOf(words) : `Refused: ${answer.status}.`);
  }
  return answer;
};
const post = (path, body) =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** @returns {Promise<Scene>} */
export const getScene = async () => {
  start();
  const scene = await (await ask('scene')).json();
  openScene({ ...scene });
  return scene;
};
/**
 * The walk of a number in the scene. Its name finds it where another page has removed a walk.
 *
 * @returns {Promise<Track>}
 */
export const getTrack = async (number, name) =>
  decodeTrack(await (await ask(`track?n=${number}&name=${encodeURIComponent(name)}`)).json());
/** How many reminders a question's stories and rules cost on all walks, in a sentence. */
export const postReminders = async (question) => (await post('reminders', question)).json();
/** What was saved lately, oldest first. @returns {Promise<Save[]>} */
export const getSaves = async () => (await (await ask('saves')).json()).saves;
export const postSave = async (question) => {
  const answer = await (await post('save', question)).json();
  if (answer.stories) openScene({ ...known, stories: answer.stories });
  return answer;
};
/**
 * How often stories and walks have changed on the server. Throws if it does not answer or refuses this page.
 *
 * @returns {Promise<{stories: number, walks: number}>}
 */
export const getNews = async () => {
  const answer = await ask('news', { signal: AbortSignal.timeout(5000) }).catch(() => {
    throw new Problem(LOST);
  });
  return answer.json();
};
/** Makes the server read the store again. */
export const postReload = async () => {
  await post('reload', {});
};
/** The view as one page to send. */
export const postPage = async (question) => (await post('page', question)).text();
export const postExport = async (question) => (await post('export', question)).text();
/** Tells the server what its next report is about. */
export const postReport = async (question) => {
  await post('report/question', question);
};
/** Proposes changes to a question's stories and rules. */
export const postAdvise = async (question) => (await post('advise', question)).json();
export const postAdviseStop = async () => (await post('advise/stop', {})).json();
const postFile = async (path, file) =>
  (await ask(`${path}?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  })).json();
/** Reads a table of stories. */
export const postPlaces = (file) => postFile('places', file);
/** Reads a file of rules. @returns {Promise<{rules: Rules, notices: string[]}>} */
export const postRules = (file) => postFile('rules', file);
export const postSample = async () => (await post('sample', {})).json();
/**
 * Adds a walk, unless the file is a list of stories.
 *
 * @returns {Promise<{scene?: Scene, stories?: Place[], notices?: string[]}>} The scene with the walk, or the stories.
 */
export const postTrack = async (file) => {
  const answer = await postFile('tracks', file);
  if (!answer.tracks) return answer;
  known = { ...answer };
  await (opened = opened.then(() => giveTracks(answer)));
  return { scene: answer };
};
/** Removes a walk. @returns {Promise<number>} The number that brings it back. */
export const postTrackRemoval = async (number, name) =>
  (await (await post(`tracks/remove?n=${number}&name=${encodeURIComponent(name)}`, {})).json()).number;
/** Brings a removed walk back. */
export const postTrackReturn = async (number) => {
  await post(`tracks/restore?number=${number}`, {});
};

// ---- the engine

/**
 * The start of the engine, and its knowledge of the scene and all walks: kept once it knows them.
 *
 * @type {Promise<void>|null}
 */
let started = null, opened = null;
/** The scene that the engine knows, without the changes made here, and how many of its walks. */
let known = null, given = 0;
/** The zones that the engine knows, or that are unknown everywhere. */
const zones = new Set();

/** Tells the engine something. Its refusals are sentences. */
const tell = (path, body) =>
  tellEngine(path, body).catch((error) => {
    throw new Problem(sentenceOf(error.message));
  });
const start = () => {
  started ??= (async () => {
    const module = await (await ask('engine.wasm.gz')).arrayBuffer();
    try {
      startEngine(sentWorker() ?? 'engine-worker.js');
      await tellEngine('module', module);
    } catch (error) {
      throw new Problem(
        `This browser cannot run the engine (${error.message}), so nothing is replayed. ` +
          'Use a current version of Firefox, Chrome, Edge or Safari.',
      );
    }
  })();
  // Whoever waits for it learns of a failure.
  started.catch(() => {});
};
/** Gives the engine the rules of a zone. It refuses one that nobody knows, if a rule needs it. */
const giveZone = async (name) => {
  await started;
  if (!name?.includes('/') || zones.has(name)) return;
  zones.add(name);
  try {
    const bytes = new Uint8Array(await (await ask(`zone?name=${encodeURIComponent(name)}`)).arrayBuffer());
    await tell('zone', { name, bytes });
  } catch (error) {
    // A page that was sent holds only its own zones.
    if (error.message !== LOST && !isSent) return;
    zones.delete(name);
    throw isSent ? new Problem(`This page was sent without the time zone ${name}.`) : error;
  }
};
/** Gives the engine the walks of a scene that it does not know yet. */
const giveTracks = async (scene) => {
  const taken = [];
  while (given < scene.tracks.length) {
    const { name, time, lat, lon, accuracy, speed, segment } = await getTrack(given, scene.tracks[given].name);
    given += 1;
    taken.push(tell('track', { name, time, lat, lon, accuracy, speed, segment }));
  }
  await Promise.all(taken);
};
/** Gives the engine a scene in place of the one that it knows. @param {Scene} scene */
const openScene = (scene) => {
  const before = opened;
  known = scene;
  opened = (async () => {
    await before?.catch(() => {});
    for (const name of [scene.zone, scene.rules.zone]) await giveZone(name);
    await tell('scene', JSON.stringify(scene));
    given = 0;
    await giveTracks(scene);
    await tell('open');
  })();
  // As above.
  opened.catch(() => {});
};
/** Asks the engine, once it knows the scene. */
const inquire = async (path, body = '') => {
  await opened;
  return JSON.parse(await tell(path, body));
};
/** Asks the engine a question, whose rules may have a zone that it does not know yet. */
const askEngine = async (path, question) => {
  await giveZone(question.rules.zone);
  return inquire(path, JSON.stringify(question));
};

export const postQuestion = (question) => askEngine('try', question);
/** The results on the walks followed so far. */
export const getProgress = () => inquire('progress');
/** Starts simulating the phone of a question. */
export const postChance = (question) => askEngine('chance', question);
/** The chances known so far. @returns {Promise<Chances>} */
export const getChances = async () => {
  const json = await inquire('chances');
  if (json.question < 0) return { ...json, done: 0 };
  const read = (rows) =>
    new Map(
      rows.map((
        [id, alerts, phones, trials, isDue, low, high, loss],
      ) => [id, { alerts, share: phones / trials, isDue: isDue === 1, low, high, loss }]),
    );
  const shown = read(json.shown);
  json.shown.forEach(([id], number) => {
    shown.get(id).dots = json.storyDots[number];
  });
  return { ...json, shown, stories: read(json.stories) };
};
/** How near the walks come to a question's changed stories, or to all if it changes none. */
export const getNearest = (question) => askEngine('nearest', question);
/**
 * What becomes of all stories on the walks followed so far, in a sentence, and which of them may have swapped coordinates.
 *
 * @returns {Promise<{words: string, swapped: string[]}>}
 */
export const getHeadline = async () => {
  const { text, beyondEdits, swapped } = await inquire('headline');
  return { words: beyondEdits ? `${text} ${beyondEdits}` : text, swapped: swapped ?? [] };
};
/** The entries of the newest question by story, walk and day. */
export const getCells = () => inquire('cells');
/**
 * The change of a question's story that gains most alerts; null if none gains any.
 *
 * A newer question ends the search, which begins again while the story `isWanted`.
 *
 * @param {() => object} questionNow The question as the page stands.
 * @param {() => boolean} isWanted
 */
export const findRemedy = async (questionNow, isWanted) => {
  while (isWanted()) {
    const question = questionNow();
    await askEngine('remedy', question);
    let found;
    do found = await inquire('remedies'); while (found.question === question.number && !found.done);
    if (found.question === question.number) return found.gain ? found : null;
  }
  return null;
};
export const postExplain = (question) => askEngine('explain', question);

// ---- the form of the answers

/** Sums up differences; null stays null. */
const sums = (differences) => {
  let sum = 0;
  return differences.map((one) => one === null ? null : (sum += one));
};

// On the time line, a gap is at most a minute long, and a step back in time a second.
const LONGEST_GAP = 60000, STEP = 1000;

/**
 * The moments of fixes on the time line, in milliseconds: the walk's times with long gaps
 * shortened.
 */
export const clockOf = (time) => {
  const clock = new Float64Array(time.length);
  const longest = 600000;
  for (let i = 1; i < time.length; i++) {
    const gap = time[i] === null || time[i - 1] === null ? STEP : time[i] - time[i - 1];
    clock[i] = clock[i - 1] + (gap < 0 ? STEP : gap > longest ? LONGEST_GAP : gap);
  }
  return clock;
};

/** @returns {Track} */
const decodeTrack = (json) => {
  const lat = Float64Array.from(json.lat), lon = Float64Array.from(json.lon);
  const time = sums(json.time), count = lat.length;
  const x = new Float64Array(count), y = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const turns = i ? Math.round(x[i - 1] - worldX(lon[i])) : 0;
    x[i] = worldX(lon[i]) + turns;
    y[i] = worldY(lat[i]);
  }
  return {
    name: json.name,
    notices: json.notices,
    count,
    lat,
    lon,
    x,
    y,
    time,
    clock: clockOf(time),
    speed: json.speed ?? null,
    course: json.course ?? null,
    accuracy: json.accuracy ?? null,
    segment: json.segment,
  };
};

/** The moment at a fraction of the way to a fix. */
export const momentOf = (clock, fix, fraction) =>
  fix === 0 ? clock[0] : clock[fix - 1] + fraction * (clock[fix] - clock[fix - 1]);

/** The spans in which the path is inside a story's circle. */
const spansOf = (json, clock) => {
  const open = new Map(json.inside.map((story) => [story, clock[0]])), spans = [];
  for (const [story, fix, fraction, isEnter] of json.edges) {
    const at = momentOf(clock, fix, fraction);
    if (isEnter) open.set(story, at);
    else if (open.has(story)) {
      spans.push({ story: json.stories[story], from: open.get(story), to: at });
      open.delete(story);
    }
  }
  const end = clock[clock.length - 1];
  for (const [story, from] of open) spans.push({ story: json.stories[story], from, to: end });
  return spans.sort((a, b) => a.from - b.from);
};

/** @returns {Run} */
export const decodeRun = (json, track) => {
  const { clock } = track, name = (number) => json.stories[number];
  const spans = spansOf(json, clock), byStory = new Map();
  for (const span of spans) byStory.set(span.story, [...byStory.get(span.story) ?? [], span]);
  const end = clock[clock.length - 1];
  const entries = json.entries.map(([story, fix, fraction, time, lat, lon, kind, reason, found]) => {
    const at = momentOf(clock, fix, fraction);
    const stay = byStory.get(name(story))?.find((span) => span.from <= at + 1 && span.to >= at);
    // A late entry goes unnoticed until a lookup finds it, a missed one until the path leaves.
    const until = kind === 'late' && found >= 0 ? Math.max(at, clock[found]) : stay ? stay.to : end;
    return { story: name(story), fix, fraction, at, until, time, lat, lon, kind, reason };
  });
  const refreshes = json.refreshes.map(([fix, fraction, lat, lon, radius, reach, next, failed, added, removed]) => ({
    fix,
    fraction,
    at: momentOf(clock, fix, fraction),
    lat,
    lon,
    radius,
    reach,
    next,
    failed: failed === 1,
    added: added.map(name),
    removed: removed.map(name),
  }));
  return { entries, refreshes, spans, breaks: new Set(json.breaks), length: json.length, certified: json.certified };
};
