// The studio: connects the parts of the page.
//
// Titles, names and addresses come from stores and files, so they are only ever shown as text.

import { openAdvice } from './studio-advice.js';
import { addressOf, keepAddress, readAddress } from './studio-address.js';
import { openQuestions } from './studio-ask.js';
import { openChances } from './studio-chance.js';
import { Player } from './studio-clock.js';
import { Edits } from './studio-edits.js';
import { wireButtons } from './studio-buttons.js';
import { showWelcome, wireFiles } from './studio-files.js';
import { openGoTo } from './studio-goto.js';
import { chooseTab, wireKeys, wireTabs } from './studio-keys.js';
import { openLegend } from './studio-legend.js';
import { askBeforeLeaving, notify, setLink, setReady, setWork, watchServer } from './studio-link.js';
import { kindOf } from './studio-fates.js';
import { openFrames } from './studio-frames.js';
import { recallSaves } from './studio-history.js';
import { say, showEvents, showMoment } from './studio-lists.js';
import { dragHooks } from './studio-drag.js';
import { drawStage } from './studio-map.js';
import { eventsOf, metersBetween, stateAt, stateWords } from './studio-moment.js';
import { openNews } from './studio-news.js';
import { openRange } from './studio-range.js';
import { openResults } from './studio-results.js';
import { openRules } from './studio-rules.js';
import { shownNames } from './studio-session.js';
import { prepareSent, sentView } from './studio-sent.js';
import { openVoice } from './studio-spoken.js';
import { openStories } from './studio-stories.js';
import { openStoryPanel } from './studio-story.js';
import { openTimeline, stepBy } from './studio-timeline.js';
import { showView, takeChanges, watchAddress } from './studio-view.js';
import { getScene, getTrack, momentOf } from './studio-wire.js';
import { distanceWords, openUnits } from './studio-units.js';
import { openWalks } from './studio-walks.js';
import { explainWords } from './studio-words.js';

/** The state of the page. Its parts read it and call the hooks to change it. */
const app = {
  /** @type {import('./studio-wire.js').Scene} */ scene: null,
  /** @type {import('./studio-wire.js').Track|null} */ track: null,
  /** @type {import('./studio-wire.js').Run|null} */ run: null,
  /** @type {Edits} */ edits: null,
  number: 0,
  chosen: null,
  state: null,
  sets: null,
  events: [],
  eventsVersion: 0,
  /**
   * The results of stories on the shown walk: rows of ID, alerts, held back, late, missed, alerts
   * at the start.
   */
  changed: [],
  /** The results of stories on all walks: as rows, and by ID. */ stories: [],
  results: new Map(),
  command: '',
  chanceCommand: '',
  player: null,
  stage: null,
  /** The share of the walks that are replayed for the newest question. */ replayed: 0,
  /** @type {ReturnType<typeof openChances>|null} */ chances: null,
  /** @type {ReturnType<typeof openWalks>} */ walks: null,
  /** @type {ReturnType<typeof openRange>} */ range: null,
  /** The moment of the chosen walk. */
  get ownNow() {
    return app.walks.own(app.player.now);
  },
  kindWords: { alert: 'alert', suppressed: 'held back', late: 'late', missed: 'missed', refresh: 'lookup' },
  meters: distanceWords,
  /** The names of the walks without what they share. @type {string[]} */ shortNames: [],
  titleOf: (id) => cut(app.edits.places.get(id)?.title || app.edits.base.get(id)?.title || id, MOST_TITLE),
  get rules() {
    return app.edits.rules;
  },
  question: () => ({
    number: questions.number(),
    changes: app.edits.changes(),
    rules: app.edits.rules,
    track: app.number,
  }),
  metersFrom: (lat, lon) => metersBetween(app.state.position.lat, app.state.position.lon, lat, lon),
};
window.studio = app;

// ---- asking the engine

const ask = () => questions.ask();

const renewEvents = () => {
  app.events = app.run ? eventsOf(app.run, $('show-refreshes').checked).filter((one) => app.range.holds(one.at)) : [];
  app.eventsVersion += 1;
};

// ---- the moment

let isOld = false, written = -Infinity;
const { showNow, drawn } = openFrames(() => drawNow());
/** Shows everything that depends on stories and rules, at the next frame. */
const redraw = () => {
  isOld = true;
  showNow();
};
const drawNow = () => {
  say('play', app.player.isPlaying ? 'Pause' : 'Play');
  $('play').setAttribute('aria-pressed', String(app.player.isPlaying));
  if (app.track && app.run) {
    app.state = stateAt(app.track, app.run, app.sets, app.ownNow);
    // What is missed depends on the simulated phone, if there is one.
    if (app.chances.hasPhone) app.state.missed = [];
    app.stage.follow(false);
    // While a walk plays, ten times a second are enough to read, and the page is laid out less often.
    if (!app.player.isPlaying || isOld || performance.now() - written >= 100) {
      written = performance.now();
      showMoment(app, hooks);
      showEvents(app, hooks);
      // For a walk with times, the field beside shows the moment.
      say('when', app.state?.position.time === null ? describe() : '');
      goTo.show();
      voice.show();
      timeline.say();
    }
  }
  if (isOld) {
    isOld = false;
    panel.show();
    app.range.show();
    stories.forget();
    stories.show();
    app.stage.draw();
    timeline.forget();
  } else app.stage.drawMoment();
  timeline.draw();
  renewAddress();
};
const describe = () => stateWords(app.state, app.track, app.scene.zone);

// ---- hooks for the parts

const hooks = {
  /** Chooses a story; null for none. */
  choose: (id, isShown = false, staysOnTab = false) => {
    app.chosen = id !== null && app.edits.places.has(id) ? id : null;
    const wasInList = $('panel-stories').contains(document.activeElement);
    if (app.chosen && !staysOnTab) chooseTab('tab-story');
    if (app.chosen && isShown) app.stage.show(app.edits.places.get(id));
    panel.show();
    // The list that had the focus is hidden now.
    if (app.chosen && !staysOnTab && wasInList) document.querySelector('#story [name=title]')?.focus();
    stories.choose();
    timeline.draw();
    app.stage.draw();
    renewAddress();
  },
  /** Chooses a story on the map: the table lights up if it is shown, or else the story's panel. */
  pick: (id) => hooks.choose(id, false, !$('panel-stories').hidden),
  chooseTrack: (number) => openTrack(number),
  openWalk: async (number) => {
    if (number !== app.number) await openTrack(number);
  },
  walkOf: (id) => stories.walkOf(id),
  /** Shows the moment at a fraction of the way to a fix of a walk. */
  showMoment: async (walk, fix, fraction) => {
    await hooks.openWalk(walk);
    app.player.pause();
    app.player.seek(app.walks.toShared(momentOf(app.track.clock, fix, fraction)));
    app.stage.follow(true);
  },
  change: (words, place, rules) =>
    app.edits.change(words, place ? [{ id: place.id, after: place }] : [], rules ?? app.edits.rules),
  kindOf: (entry) => kindOf(app, entry),
  chosenEntries: () => app.chosen === null ? [] : (app.run?.entries ?? []).filter((one) => one.story === app.chosen),
  notify,
  setLink,
  setReady: () => setReady(results.workDone()),
  showTab: chooseTab,
  showScene: () => showScene(),
  renewWalks: (name) => news.renewWalks(name),
  takeAdvice: (text, name) => advice.take(text, name),
  restore: (view) => restore(view),
  goTo: (entry, at = entry.at) => {
    app.player.pause();
    app.player.seek(app.walks.toShared(at));
    if (entry) hooks.pick(entry.story);
  },
  ...dragHooks(app),
  /** Steps to the next fix or event, or with -1 to the one before. */
  step: (direction, byEvent) => stepBy(app, direction, byEvent),
  /** Lists the events again, after a choice of which. */
  renewEvents: () => {
    renewEvents();
    showNow();
  },
  describe,
  saved: (number) => {
    notify(
      number ? `Saved ${count(number)} ${number === 1 ? 'change' : 'changes'}.` : 'Nothing was left to save.',
      false,
    );
    news.afterRebase();
  },
  merge: (takesTheirs) => news.merge(takesTheirs),
};
const showEdits = () => {
  const { edits } = app, number = Object.keys(edits.changes()).length;
  $('undo').disabled = !edits.canUndo;
  $('redo').disabled = !edits.canRedo;
  $('undo').title = edits.canUndo ? `Undo: ${edits.steps[edits.done - 1].words}` : '';
  $('redo').title = edits.canRedo ? `Redo: ${edits.steps[edits.done].words}` : '';
  $('save').textContent = number ? `Save ${count(number)}…` : 'Save…';
  if (app.chosen && !edits.places.has(app.chosen)) app.chosen = null;
  rulesForm.show();
  advice.changed();
  redraw();
};

const openTrack = async (number, now = 0) => {
  if (!app.scene.tracks[number]) return;
  setLink('wait', 'reading');
  try {
    app.number = number;
    $('track').value = String(number);
    app.run = app.state = null;
    app.track = await getTrack(number, app.scene.tracks[number].name);
    for (const notice of app.track.notices) notify(`${app.track.name}: ${notice}.`, false);
    app.walks.follow();
    app.player.open(app.walks.end(), app.walks.toShared(now));
    app.range.set(null, null);
    app.stage.openTracks();
    ask();
  } catch (error) {
    notify(error.message);
  }
};

// ---- opening

const news = openNews(app, { showScene: () => showScene(), openTrack, ask, showEdits });

const showScene = () => {
  const names = app.shortNames = shownNames(app.scene.tracks);
  app.scene.zone = $('shown-zone').value || app.scene.zone;
  $('source').textContent = `${app.scene.store}, ${count(app.scene.stories.length)} stories`;
  $('track').replaceChildren(...app.scene.tracks.map((track, index) => {
    const option = element('option', names[index]);
    option.title = track.name;
    option.value = String(index);
    return option;
  }));
  $('chooser').hidden = app.scene.tracks.length < 2;
  $('result-all').hidden = app.scene.tracks.length < 2;
  app.walks?.renew();
  showWelcome(app, hooks);
};
/** Shows the view of a session, in one step that can be undone. */
const restore = async (view) => {
  app.edits.become('Open a session', view.changes, view.rules);
  if (view.story === null) hooks.choose(null);
  await showView(app, { when: null, near: null, ...view }, hooks);
};

let timeline, panel, stories, voice, goTo, rulesForm, questions, advice, results;
let isOpen = false, renewAddress = () => {};
const openParts = () => {
  timeline = openTimeline(app, app.player, hooks);
  panel = openStoryPanel(app, hooks);
  goTo = openGoTo(app);
  // Chances color the map and the time line, so everything is drawn again.
  app.chances = openChances(app, {
    notify,
    choose: (id) => hooks.choose(id),
    settled: (alerts) => advice.settled(alerts),
    changed: () => {
      app.eventsVersion += 1;
      stories.grid.forget();
      setWork(results.workDone());
      redraw();
    },
  });
  stories = openStories(app, hooks);
  results = openResults(app, {
    choose: hooks.choose,
    redraw,
    renewEvents,
    forget: () => {
      stories.grid.forget();
      stories.settle();
    },
    // The alerts of a perfect phone do not count beside a simulated one.
    settled: (alerts) => {
      if (!app.chances.hasPhone) advice.settled(alerts);
    },
  });
  app.missOf = stories.missOf;
  voice = openVoice(app, hooks);
  questions = openQuestions(app, {
    take: results.take,
    takeProgress: results.takeProgress,
    notify,
    link: setLink,
    ready: () => setReady(results.workDone()),
    drawn,
    changed: () => {
      app.replayed = 0;
      app.chances.forget();
    },
    asked: () => {
      app.chances.ask();
      rulesForm.askReminders();
    },
  });
  advice = openAdvice(app, hooks);
  rulesForm = openRules(app, { notify, ...wireFiles(app, hooks) });
  explainWords();
};
const open = async () => {
  await prepareSent();
  app.scene = await getScene();
  const view = readAddress(location.hash || sentView());
  app.edits = new Edits(app.scene.stories, app.scene.rules, () => {
    if (isOpen) {
      ask();
      showEdits();
    }
  });
  await recallSaves(app).catch((error) => notify(error.message));
  takeChanges(app, view);
  if (view.isBroken) notify('The changes in this address cannot be read. The rest of the view is shown.');
  app.player = new Player(showNow);
  app.walks = openWalks(app, {
    draw: () => {
      app.stage?.openTracks();
      redraw();
    },
    notify,
    renewWalks: hooks.renewWalks,
  });
  app.range = openRange(app, () => {
    renewEvents();
    redraw();
  });
  openUnits(app, () => {
    const { chosen } = app;
    app.eventsVersion += 1;
    // Builds the panel of the story again, with the zone in its labels.
    if (chosen) {
      hooks.choose(null);
      hooks.choose(chosen, false, true);
    }
    redraw();
  });
  openLegend();
  app.stage = drawStage(app, hooks);
  openParts();
  wireTabs(() => {
    $('events').dataset.key = '';
    stories.open();
    showNow();
  });
  wireKeys(app, hooks);
  wireButtons(app, hooks);
  showScene();
  for (const notice of app.scene.notices) notify(`${notice}.`);
  app.stage.openTracks();
  isOpen = true;
  await openTrack(Math.max(0, app.scene.tracks.findIndex((one) => one.name === view.track)));
  if (!app.scene.tracks.length) ask();
  if (!view.map) app.stage.open();
  showEdits();
  await showView(app, view, hooks);
  renewAddress = keepAddress(app);
  app.address = () => addressOf(app);
  Object.assign(app, { notify, takeAdvice: hooks.takeAdvice, storyOf: stories.rowOf });
  // Links of the report open in this tab. Undo brings back the changes made here.
  window.name = 'fencepost-studio';
  watchAddress(app, hooks);
  askBeforeLeaving(app);
  watchServer({
    ...news,
    hasChanges: () => Object.keys(app.edits.changes()).length > 0,
    takeStories: () => news.merge(() => false),
  });
  document.body.dataset.ready = 'true';
};
open().catch((error) => {
  setLink('gone', 'not opened');
  notify(error.message);
});
