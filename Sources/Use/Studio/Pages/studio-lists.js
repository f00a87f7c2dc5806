// The lists beside the map: the result, the moment and the events.

import { entryWords, kindOf } from './studio-fates.js';
import { lastBefore } from './studio-moment.js';
import { distanceWords, speedWords } from './studio-units.js';
import { clockWords } from './studio-zone.js';

const COMPASS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'];

const storyButton = (app, id, hooks) => {
  const button = element('button', app.titleOf(id), 'link');
  button.type = 'button';
  button.dataset.story = id;
  button.addEventListener('click', () => hooks.choose(id));
  return button;
};

// ---- the moment

/** Shows a text. Writing the same text again would make the browser lay out the page. */
export const say = (id, text) => {
  if ($(id).textContent !== text) $(id).textContent = text;
};

/** Lists stories; does nothing if the list is unchanged. */
const showNames = (list, ids, app, hooks) => {
  const key = ids.join('\n');
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...ids.map((id) => {
    const item = element('li');
    item.append(storyButton(app, id, hooks));
    return item;
  }));
};
const namesOf = (app, ids) => {
  const shown = ids.slice(0, 12).map(app.titleOf).join(', ');
  return ids.length > 12 ? `${shown} and ${ids.length - 12} more` : shown;
};

const lookupWords = (app, refresh) => {
  if (app.rules.limit === null) return 'Every circle is watched.';
  if (!refresh) return 'Nothing is watched yet.';
  const { lat, lon } = refresh;
  const gone = app.metersFrom(lat, lon);
  const parts = [
    refresh.failed
      ? 'The last lookup failed, so the watched circles stayed the same.'
      : `Last lookup ${gone < 1 ? 'here' : `${distanceWords(gone)} from here`}.`,
  ];
  if (refresh.next !== null) {
    parts.push(
      `Next lookup ${distanceWords(refresh.next)} from there, in ${distanceWords(Math.max(0, refresh.next - gone))}.`,
    );
  }
  if (app.rules.refresh === 'adaptive') {
    parts.push(`Nothing can be missed within ${distanceWords(refresh.reach)} of the last lookup.`);
  }
  return parts.join(' ');
};

/** Shows the moment. */
export const showMoment = (app, hooks) => {
  const { state } = app;
  if (!state) return;
  const { position, refresh } = state;
  say('fact-position', `${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}`);
  say(
    'fact-time',
    position.isBroken && position.part === 0
      ? clockWords(position.time, app.scene.zone) + ', before a gap'
      : clockWords(position.time, app.scene.zone),
  );
  say(
    'fact-heading',
    position.heading === null
      ? 'not moving'
      : `${Math.round(position.heading)}°, ${COMPASS[Math.round(position.heading / 45) % 8]}`,
  );
  say('fact-speed', position.speed === null ? '–' : speedWords(position.speed));
  say('fact-accuracy', position.accuracy === null ? '–' : `± ${distanceWords(position.accuracy)}`);
  say('fact-fix', `${count(position.fix)} of ${count(app.track.count)}`);
  say('monitored-count', app.rules.limit === null ? 'all' : count(state.monitored.size));
  say('next-lookup', lookupWords(app, refresh));
  say('came', refresh?.added.length ? `Added: ${namesOf(app, refresh.added)}.` : '');
  say('went', refresh?.removed.length ? `Dropped: ${namesOf(app, refresh.removed)}.` : '');
  const inside = [...state.inside].sort(), missed = [...new Set(state.missed.map((one) => one.story))].sort();
  say('inside-count', count(inside.length));
  say('missed-count', count(missed.length));
  showNames($('inside'), inside, app, hooks);
  showNames($('missed'), missed, app, hooks);
};

// ---- events

const MOST = 240;

/** Lists the events around the moment and marks the latest one. */
export const showEvents = (app, hooks) => {
  if ($('panel-events').hidden) return;
  const list = $('events'), { events } = app;
  $('no-events').hidden = events.length > 0;
  const now = lastBefore(events, app.ownNow + .5, (one) => one.at);
  const first = Math.max(0, Math.min(now - MOST / 2, events.length - MOST));
  const key = `${app.eventsVersion} ${Math.floor(first / 60)}`;
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    const from = Math.floor(first / 60) * 60;
    list.dataset.from = String(from);
    list.replaceChildren(...events.slice(from, from + MOST + 60).map((one) => eventItem(one, app, hooks)));
    list.start = from + 1;
  }
  const from = Number(list.dataset.from), current = list.children[now - from];
  const earlier = list.querySelector('[aria-current]');
  if (earlier === current) return;
  earlier?.removeAttribute('aria-current');
  if (!current) return;
  current.setAttribute('aria-current', 'true');
  // Scroll only the list, so that the page stays still while it plays.
  if (!list.contains(document.activeElement)) {
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
};

const eventItem = (event, app, hooks) => {
  const item = element('li', undefined, event.entry ? kindOf(app, event.entry) || 'undue' : event.kind),
    row = element('div', undefined, 'row');
  const button = element('button', event.entry ? app.titleOf(event.entry.story) : 'Lookup');
  button.type = 'button';
  button.addEventListener('click', () => hooks.goTo(event.entry, event.at));
  const time = event.entry ? event.entry.time : app.track.time[event.refresh.fix];
  const stamp = element(
    'time',
    time === null ? `fix ${(event.entry ?? event.refresh).fix}` : clockWords(time, app.scene.zone).replace(/^.*, /, ''),
  );
  if (time !== null) stamp.dateTime = new Date(time).toISOString();
  row.append(button, stamp);
  item.append(
    row,
    element(
      'p',
      event.entry
        ? entryWords(app, event.entry)
        : `${event.refresh.added.length} added, ${event.refresh.removed.length} dropped`,
      'why',
    ),
  );
  return item;
};

// ---- the result

const signed = (number, sign) => number ? `${sign}${count(number)}` : '0';

/** Fills a row of the result. */
const fill = (row, alerts, gained, lost, late, missed) => {
  const cells = row.querySelectorAll('td');
  [count(alerts), signed(gained, '+'), signed(lost, '−'), count(late), count(missed)]
    .forEach((text, index) => {
      cells[index].textContent = text;
    });
  cells[1].className = gained ? 'gained' : '';
  cells[2].className = lost ? 'lost' : '';
};

/**
 * Alerts gained and lost since the start, from rows of ID, alerts, held back, late, missed, alerts
 * at the start.
 */
export const difference = (rows) => {
  let gained = 0, lost = 0;
  for (const [, alerts, , , , start] of rows) {
    if (alerts > start) gained += alerts - start;
    else lost += start - alerts;
  }
  return { gained, lost };
};

/** The alerts of the walks in one line, before and now; with a phone, the sentences above it say what it shows. */
const showLine = (app, where, alerts, gained, lost) => {
  const differs = [gained ? `+${count(gained)} gained` : '', lost ? `−${count(lost)} lost` : ''].filter(Boolean).join(
    ', ',
  );
  const words = `${count(alerts)} ${alerts === 1 ? 'alert' : 'alerts'} on ${where}`;
  const before = differs ? `, ${count(alerts - gained + lost)} before: ${differs}` : '';
  say('result-line', app.chances?.hasPhone ? 'Numbers' : words + before);
};

/** Shows the numbers of the current walk. */
export const showTrackResult = (app) => {
  const sum = (column) => app.changed.reduce((total, row) => total + row[column], 0);
  const { gained, lost } = difference(app.changed);
  if (app.scene.tracks.length < 2) showLine(app, 'this walk', sum(1), gained, lost);
  fill($('result-track'), sum(1), gained, lost, sum(3), sum(4));
};

/** Shows the numbers of all walks, and the progress. */
export const showAllResult = (app, progress) => {
  const rows = progress.tracks.filter((row) => row);
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  showLine(
    app,
    progress.complete ? 'all walks' : `${count(progress.done)} of ${count(progress.of)} walks so far`,
    sum(1),
    sum(6),
    sum(7),
  );
  fill($('result-all'), sum(1), sum(6), sum(7), sum(3), sum(4));
  const failures = progress.failures.length ? ` ${progress.failures.join('. ')}.` : '';
  $('progress').textContent =
    (progress.complete
      ? progress.of > 1 ? `${count(progress.of)} walks.` : ''
      : `${count(progress.done)} of ${count(progress.of)} walks…`) + failures;
};

/**
 * Lists the stories that alert more often or less often than at the start, those that differ most first.
 *
 * @param {HTMLElement} box
 * @param {[string, number][]} gains The IDs of stories, each with its gain.
 * @param {(alerts: number) => string} words
 */
export const showGains = (app, box, gains, words, hooks) => {
  const key = JSON.stringify(gains);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const list = (title, own, sign) => {
    if (!own.length) return [];
    const names = element('ul', undefined, 'names');
    for (const [id, gain] of own.slice(0, 30)) {
      const item = element('li');
      item.append(storyButton(app, id, hooks), ` ${sign}${words(Math.abs(gain))}`);
      names.append(item);
    }
    if (own.length > 30) names.append(element('li', `and ${own.length - 30} more`));
    return [element('h3', title), names];
  };
  const ordered = [...gains].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  box.replaceChildren(
    ...list('Gained', ordered.filter(([, gain]) => gain > 0), '+'),
    ...list('Lost', ordered.filter(([, gain]) => gain < 0), '−'),
  );
};
/** Lists the stories whose alerts differ on a perfect phone. */
export const showChanged = (app, rows, hooks) =>
  showGains(
    app,
    $('changed'),
    rows.filter((row) => row[1] !== row[5]).map((row) => [row[0], row[1] - row[5]]),
    String,
    hooks,
  );
