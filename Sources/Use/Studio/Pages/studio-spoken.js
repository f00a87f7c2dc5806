// The moment for readers who cannot see the map: a table of the nearest stories, and a voice that
// says what happens, but not too often.

import { entryWords } from './studio-fates.js';
import { say } from './studio-lists.js';
import { distanceWords } from './studio-units.js';
import { lastBefore, metersBetween } from './studio-moment.js';

/** The stories in the table, and the names in a sentence. */
const ROWS = 8, NAMES = 3;
/** The least time between two sentences and two tables while playing, and until a stop is told. */
const PAUSE = 5000, TABLE = 500, SETTLED = 800;
/** A degree of latitude is at least this long. */
const METERS_PER_DEGREE = 110574;

export const openVoice = (app, hooks) => {
  const body = $('nearby').tBodies[0], panel = $('panel-now');
  let spokenAt = 0, tableAt = 0, timer = 0, before = null, waiting = [], told = '';

  const stateOf = (id) => {
    const { state } = app;
    if (state.missed.some((one) => one.story === id)) return 'inside, missed';
    if (state.inside.has(id)) return 'inside';
    if (state.refresh?.added.includes(id)) return 'just added';
    return app.rules.limit === null || state.monitored.has(id) ? 'watched' : 'not watched';
  };
  /** The stories whose edges are nearest, nearest first; negative distances are inside. */
  const nearby = () => {
    const { lat, lon } = app.state.position, found = [];
    let limit = Infinity;
    for (const place of app.edits.places.values()) {
      if (Math.abs(place.lat - lat) * METERS_PER_DEGREE - place.radius > limit) continue;
      const meters = metersBetween(lat, lon, place.lat, place.lon) - place.radius;
      if (meters >= limit) continue;
      found.push({ id: place.id, meters });
      if (found.length < 4 * ROWS) continue;
      found.sort((a, b) => a.meters - b.meters).length = ROWS;
      limit = found[ROWS - 1].meters;
    }
    return found.sort((a, b) => a.meters - b.meters).slice(0, ROWS);
  };
  const edgeWords = (meters) => meters < 0 ? `${distanceWords(-meters)} inside` : distanceWords(meters);

  /** Fills the table, whose cells are kept so that reading it is not interrupted. */
  const showTable = (rows) => {
    while (body.rows.length < rows.length) {
      const row = body.insertRow(), name = element('th'), button = element('button', '', 'link');
      name.scope = 'row';
      button.type = 'button';
      button.addEventListener('click', () => hooks.choose(row.dataset.story));
      name.append(button);
      row.append(name, element('td'), element('td'));
    }
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach(({ id, meters }, number) => {
      const row = body.rows[number], texts = [app.titleOf(id), stateOf(id), edgeWords(meters)];
      row.dataset.story = id;
      [row.cells[0].firstChild, row.cells[1], row.cells[2]].forEach((cell, at) => {
        if (cell.textContent !== texts[at]) cell.textContent = texts[at];
      });
    });
  };

  const list = (names) =>
    names.length > NAMES
      ? `${names.slice(0, NAMES).join(', ')} and ${count(names.length - NAMES)} more`
      : names.join(', ');
  const speak = (text) => {
    if (text === told) return;
    told = text;
    spokenAt = performance.now();
    say('spoken', text);
  };
  /** Says what has happened since the last sentence. */
  const speakEvents = () => {
    if (!waiting.length) return;
    const words = waiting.map((entry) => `${app.titleOf(entry.story)}: ${entryWords(app, entry)}`);
    waiting = [];
    speak(`${hooks.describe()}. ${list(words)}.`);
  };
  /** Says where a reader who has stopped is. */
  const speakMoment = () => {
    if (!app.state || app.player.isPlaying) return;
    const inside = [...app.state.inside].sort().map(app.titleOf), near = nearby().find((one) => one.meters >= 0);
    const parts = [`${hooks.describe()}.`, inside.length ? `Inside ${list(inside)}.` : 'Inside no circle.'];
    if (near) parts.push(`Nearest edge: ${app.titleOf(near.id)}, ${distanceWords(near.meters)}.`);
    speak(parts.join(' '));
  };

  return {
    /** Shows the moment; call after each drawing of it. */
    show: () => {
      const { player, run } = app, time = performance.now();
      if (!panel.hidden && (!player.isPlaying || time - tableAt > TABLE)) {
        tableAt = time;
        showTable(nearby());
      }
      const now = player.now, moved = before !== now;
      if (player.isPlaying && before !== null && now > before) {
        const events = app.events.filter((one) => one.entry), from = lastBefore(events, before, (one) => one.at);
        waiting.push(...events.slice(from + 1, lastBefore(events, now, (one) => one.at) + 1).map((one) => one.entry));
        if (time - spokenAt > PAUSE) speakEvents();
      }
      if (!player.isPlaying && run && moved && before !== null) {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (waiting.length) speakEvents();
          else speakMoment();
        }, SETTLED);
      }
      before = now;
    },
  };
};
