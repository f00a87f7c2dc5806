// The studio: puts the parts of the page together.
//
// Titles, names and addresses are whatever a store and a file hold; all of them become text, never markup.

import { openAdvice } from './studio-advice.js';
import { addressOf, keepAddress, readAddress } from './studio-address.js';
import { Player } from './studio-clock.js';
import { chooseTab, wireKeys, wireTabs } from './studio-keys.js';
import { showWelcome, wireDrop } from './studio-drop.js';
import { Edits } from './studio-edits.js';
import { showAllResult, showChanged, showEvents, showMoment, showTrackResult, clockWords } from './studio-lists.js';
import { drawStage } from './studio-map.js';
import { MonitoredSets, eventsOf, metersBetween, stateAt } from './studio-moment.js';
import { openRules } from './studio-rules.js';
import { openExport, openSave } from './studio-save.js';
import { openStoryPanel } from './studio-story.js';
import { fixesAround, openTimeline } from './studio-timeline.js';
import { explainWords } from './studio-words.js';
import { settle, showView, takeChanges } from './studio-view.js';
import { decodeRun, getProgress, getScene, getTrack, postQuestion } from './studio-wire.js';

const REASONS = { 'not-published': 'not published yet', expired: 'expired', 'quiet-hours': 'quiet hours',
  driving: 'moving too fast', cooldown: 'it alerted not long before', grouped: 'another story at the spot spoke for it',
  budget: 'no notification slot was free' };

/** What the page shows; its parts read it and call the hooks to change it. */
const app = {
  /** @type {import('./studio-wire.js').Scene} */ scene: null,
  /** @type {import('./studio-wire.js').Track|null} */ track: null,
  /** @type {import('./studio-wire.js').Run|null} */ run: null,
  /** @type {Edits} */ edits: null,
  number: 0, chosen: null, state: null, sets: null, events: [], eventsVersion: 0,
  /** What became of stories on the shown track: rows of id, alerts, held back, late, missed, start. */
  changed: [],
  /** What became of stories on all tracks, by id. */ results: new Map(),
  command: '', player: null, stage: null,
  kindWords: { alert: 'alert', suppressed: 'held back', late: 'late', missed: 'missed', refresh: 'refresh' },
  reasonWords: reason => REASONS[reason] ?? reason,
  titleOf: id => app.edits.places.get(id)?.title || app.edits.base.get(id)?.title || id,
  get rules() { return app.edits.rules; },
  question: () => ({ number: asked, changes: app.edits.changes(), rules: app.edits.rules, track: app.number }),
  metersFrom: (lat, lon) => metersBetween(app.state.position.lat, app.state.position.lon, lat, lon),
};
window.studio = app;

const setLink = (state, words) => { $('link').dataset.state = state; $('link').textContent = words; };
/** Shows a sentence that the reader should know, until it is closed. */
const notify = (sentence, isBad = true) => {
  const note = element('p', sentence, isBad ? 'notice bad' : 'notice'), close = element('button', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => note.remove());
  note.append(close);
  $('notices').append(note);
  while ($('notices').children.length > 4) $('notices').firstChild.remove();
};

// ---- asking the engine

const pause = milliseconds => new Promise(resolve => { setTimeout(resolve, milliseconds); });

let asked = 0, isAsking = false, isStale = false, abort = null, askedAt = 0;
// A question that takes longer than this is given up for a newer one.
const PATIENCE = 150;

/** Asks what happens now; while an answer is under way the newest state waits for it. */
const ask = () => {
  isStale = true;
  if (isAsking) {
    if (performance.now() - askedAt > PATIENCE) abort.abort();
    return;
  }
  asking();
};
const asking = async () => {
  isAsking = true;
  while (isStale) {
    isStale = false;
    asked += 1;
    askedAt = performance.now();
    abort = new AbortController();
    const number = app.number, began = askedAt;
    try {
      const answer = await postQuestion(app.question(), abort.signal);
      if (number !== app.number) continue;
      if (answer.stale) {
        // Another page of this studio has asked meanwhile.
        await pause(150);
        isStale = true;
        continue;
      }
      take(answer);
      app.lastAnswer = performance.now() - began;
      setLink('live', 'ready');
    } catch (error) {
      if (error.name === 'AbortError') continue;
      setLink('gone', 'not followed');
      notify(error.message);
    }
  }
  isAsking = false;
  document.body.dataset.answered = String(asked);
  // Of a single track the answer has said everything.
  if (app.scene.tracks.length === 1) document.body.dataset.complete = String(asked);
  else followProgress();
};

let isFollowed = false;
/** Asks for the other tracks until all are followed. */
const followProgress = async () => {
  if (isFollowed) return;
  isFollowed = true;
  try {
    for (;;) {
      const number = asked, progress = await getProgress();
      if (isAsking) { await pause(50); continue; }
      showAllResult(app, progress);
      if (number !== asked) continue;
      if (progress.complete) {
        app.results = new Map(progress.stories.map(([id, alerts, suppressed, late, missed, start]) =>
          [id, { alerts, suppressed, late, missed, start }]));
        app.stage.draw();
        if (app.scene.tracks.length !== 1) showChanged(app, progress.stories, hooks);
        advice.settled(progress.tracks.reduce((sum, row) => sum + (row ? row[1] : 0), 0));
        document.body.dataset.complete = String(number);
        break;
      }
    }
  } catch (error) {
    notify(error.message);
  }
  isFollowed = false;
};

/** Takes the answer to a question. */
const take = answer => {
  app.command = answer.command;
  app.changed = answer.changed;
  if (answer.run && app.track) {
    app.run = decodeRun(answer.run, app.track);
    app.sets = new MonitoredSets(app.run);
    renewEvents();
    settle(app);
  }
  // Another address for another question, so that a browser makes the report anew.
  $('report').href = `report?of=${asked}`;
  showTrackResult(app);
  if (app.scene.tracks.length < 2) {
    app.results = new Map(answer.changed.map(([id, alerts, suppressed, late, missed, start]) =>
      [id, { alerts, suppressed, late, missed, start }]));
    showChanged(app, answer.changed, hooks);
    advice.settled(answer.changed.reduce((sum, row) => sum + row[1], 0));
  }
  panel.show();
  app.stage.draw();
  timeline.renew();
  showNow();
};
const renewEvents = () => {
  app.events = app.run ? eventsOf(app.run, $('show-refreshes').checked) : [];
  app.eventsVersion += 1;
};

// ---- the moment

let drawn = false;
const showNow = () => {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    $('play').textContent = app.player.isPlaying ? 'Pause' : 'Play';
    $('play').setAttribute('aria-pressed', String(app.player.isPlaying));
    if (app.track && app.run) {
      app.state = stateAt(app.track, app.run, app.sets, app.player.now);
      showMoment(app, hooks);
      showEvents(app, hooks);
      $('when').textContent = describe();
      app.stage.follow(false);
    }
    app.stage.drawMoment();
    timeline.draw();
    renewAddress();
  });
};
const describe = () => {
  if (!app.state) return 'no track';
  const { position } = app.state;
  return position.time === null ? `fix ${position.fix} of ${app.track.count}` : clockWords(position.time, app.scene.zone);
};
const step = (direction, byEvent) => {
  if (!app.track) return;
  const moments = byEvent ? app.events.map(one => one.at) : fixesAround(app.track.clock, app.player.now);
  app.player.step(moments, direction);
};

// ---- what the parts call

const hooks = {
  /** Chooses a story, null for none. */
  choose: (id, isShown = false, staysOnTab = false) => {
    app.chosen = id !== null && app.edits.places.has(id) ? id : null;
    if (app.chosen && !staysOnTab) chooseTab('tab-story');
    if (app.chosen && isShown) app.stage.show(app.edits.places.get(id));
    panel.show();
    app.stage.draw();
    renewAddress();
  },
  chooseTrack: number => openTrack(number),
  notify, setLink, showTab: chooseTab,
  showScene: () => showScene(),
  takeAdvice: (text, name) => advice.take(text, name),
  goTo: (entry, at = entry.at) => {
    app.player.pause();
    app.player.seek(at);
    if (entry) hooks.choose(entry.story);
  },
  move: (id, place, words) => app.edits.change(words, [{ id, after: place }], app.edits.rules, `drag ${id}`),
  endMove: () => app.edits.close(),
  step: (direction, byEvent) => step(direction, byEvent),
  describe,
  saved: number => {
    notify(`${count(number)} ${number === 1 ? 'change is' : 'changes are'} saved.`, false);
    afterRebase();
  },
  /** Gives up the own changes of stories that others have changed. */
  takeTheirs: async conflicts => {
    const theirs = new Map(conflicts.map(one => [one.id, one.stored]));
    const own = Object.entries(app.edits.changes()).filter(([id]) => !theirs.has(id));
    await reload();
    app.edits.places = new Map(app.edits.base);
    app.edits.touched.clear();
    for (const [id, place] of own) app.edits.put(id, place);
    afterRebase();
  },
};
const reload = async () => {
  await fetch('reload', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  app.scene = await getScene();
  app.edits.rebase(app.scene.stories);
};
const afterRebase = () => {
  app.stage.draw(true);
  showEdits();
  ask();
};
const showEdits = () => {
  const { edits } = app, number = Object.keys(edits.changes()).length;
  $('undo').disabled = !edits.canUndo;
  $('redo').disabled = !edits.canRedo;
  $('undo').title = edits.canUndo ? `Undo: ${edits.steps[edits.done - 1].words}` : '';
  $('redo').title = edits.canRedo ? `Redo: ${edits.steps[edits.done].words}` : '';
  $('save').textContent = number ? `Save ${count(number)}…` : 'Save…';
  if (app.chosen && !edits.places.has(app.chosen)) app.chosen = null;
  panel.show();
  rulesForm.show();
  advice.changed();
  app.stage.draw();
  renewAddress();
};

const openTrack = async (number, now = 0) => {
  if (!app.scene.tracks[number]) return;
  setLink('wait', 'reading');
  try {
    app.number = number;
    $('track').value = String(number);
    app.run = app.state = null;
    app.track = await getTrack(number);
    for (const notice of app.track.notices) notify(`${app.track.name}: ${notice}.`, false);
    app.player.open(app.track.clock[app.track.count - 1], now);
    app.stage.openTracks();
    ask();
  } catch (error) {
    notify(error.message);
  }
};

// ---- buttons and files

const wireButtons = () => {
  $('undo').addEventListener('click', () => app.edits.undo());
  $('redo').addEventListener('click', () => app.edits.redo());
  $('save').addEventListener('click', () => openSave(app, hooks));
  $('export').addEventListener('click', () => openExport(app));
  $('play').addEventListener('click', () => app.player.toggle());
  $('fix-back').addEventListener('click', () => step(-1, false));
  $('fix-next').addEventListener('click', () => step(1, false));
  $('event-back').addEventListener('click', () => step(-1, true));
  $('event-next').addEventListener('click', () => step(1, true));
  $('speed').addEventListener('change', () => { app.player.speed = Number($('speed').value); });
  $('track').addEventListener('change', () => openTrack(Number($('track').value)).then(() => app.stage.fit()));
  $('show-refreshes').addEventListener('change', () => { renewEvents(); showNow(); });
  $('add').addEventListener('click', () => {
    const middle = app.stage.map.getCenter(), six = value => Math.round(value * 1e6) / 1e6, id = app.edits.newID();
    app.edits.change('Add', [{ id, after: { id, lat: six(middle.lat),
      lon: six(L.Util.wrapNum(middle.lng, [-180, 180], true)), radius: 100, title: 'New story' } }]);
    hooks.choose(id);
  });
};

// ---- opening

/** The names of tracks without the folder that all of them are in. */
const shortNames = names => {
  const folders = names.map(name => name.slice(0, name.lastIndexOf('/') + 1).split('/'));
  let shared = 0;
  while (folders.length && shared < folders[0].length - 1
    && folders.every(one => one[shared] === folders[0][shared] && shared < one.length - 1)) shared += 1;
  return names.map(name => name.split('/').slice(shared).join('/'));
};
const showScene = () => {
  const names = shortNames(app.scene.tracks.map(one => one.name));
  $('source').textContent = `${app.scene.store}, ${count(app.scene.stories.length)} stories`;
  $('track').replaceChildren(...app.scene.tracks.map((track, index) => {
    const option = element('option', names[index]);
    option.title = track.name;
    option.value = String(index);
    return option;
  }));
  $('chooser').hidden = app.scene.tracks.length < 2;
  $('result-all').hidden = app.scene.tracks.length < 2;
  showWelcome(app, hooks);
};
let timeline, panel, rulesForm, advice, isOpen = false, renewAddress = () => {};
const open = async () => {
  app.scene = await getScene();
  const view = readAddress(location.hash);
  app.edits = new Edits(app.scene.stories, app.scene.rules, () => { if (isOpen) { showEdits(); ask(); } });
  takeChanges(app, view);
  if (view.isBroken) notify('The address holds changes that cannot be read; the rest of it is shown.');
  app.player = new Player(showNow);
  app.stage = drawStage(app, hooks);
  timeline = openTimeline(app, app.player, hooks);
  panel = openStoryPanel(app, hooks);
  rulesForm = openRules(app);
  advice = openAdvice(app, hooks);
  explainWords();
  wireTabs(() => { $('events').dataset.key = ''; showNow(); });
  wireKeys(app, hooks);
  wireButtons();
  wireDrop(app, hooks);
  showScene();
  for (const notice of app.scene.notices) notify(`${notice}.`);
  app.stage.openTracks();
  isOpen = true;
  await openTrack(Math.max(0, app.scene.tracks.findIndex(one => one.name === view.track)));
  if (!app.scene.tracks.length) ask();
  if (!view.map) app.stage.fit();
  showEdits();
  await showView(app, view, hooks);
  renewAddress = keepAddress(app);
  app.address = () => addressOf(app);
  Object.assign(app, { notify, takeAdvice: hooks.takeAdvice });
  // Links of the report open here, with what has been changed since still to be had by undo.
  window.name = 'fencepost-studio';
  addEventListener('hashchange', () => {
    const next = readAddress(location.hash);
    takeChanges(app, next);
    showView(app, next, hooks);
  });
  document.body.dataset.ready = 'true';
};
open().catch(error => { setLink('gone', 'not opened'); notify(error.message); });
