// Compares two settings: A is kept as it was, B is the one being edited.

import { MonitoredSets } from './studio-moment.js';
import { decodeRun, getProgress, postQuestion } from './studio-wire.js';

/** @typedef {import('./studio-wire.js').Pinned} Pinned */

const signed = number => number > 0 ? `+${count(number)}` : number < 0 ? `−${count(-number)}` : '0';

/**
 * Sums of alerts, late and missed entries over rows of ID, alerts, held back, late, missed, alerts
 * at the start.
 */
const numbersOf = rows => [1, 3, 4].map(column => rows.reduce((sum, row) => sum + row[column], 0));

/**
 * The stories that alert more often or less often with B than with A.
 *
 * @param {any[][]} before The rows of A.
 * @param {any[][]} after The rows of B.
 * @returns {{id: string, change: number}[]} By ID.
 */
export const differences = (before, after) => {
  const alerts = new Map(before.map(row => [row[0], -row[1]]));
  for (const row of after) alerts.set(row[0], (alerts.get(row[0]) ?? 0) + row[1]);
  return [...alerts].filter(([, change]) => change).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, change]) => ({ id, change }));
};

/**
 * Sets up the comparison.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `redraw()`, `choose(story)`, `notify(sentence)`, `ruleWords(rules, others)`.
 */
export const openComparison = (app, hooks) => {
  const box = $('comparison'), button = $('compare');
  let asked = 0;

  /** Asks for the results of A, for the shown walk first. */
  const ask = async () => {
    const { pinned } = app, mine = asked += 1, isNewer = () => mine !== asked || pinned !== app.pinned;
    if (!pinned) return;
    pinned.run = pinned.sets = pinned.all = null;
    try {
      const answer = await postQuestion({ number: mine, lane: 'pinned', track: app.number,
        changes: pinned.changes, rules: pinned.rules });
      if (isNewer()) return;
      pinned.changed = answer.changed;
      if (answer.run && app.track) {
        pinned.run = decodeRun(answer.run, app.track);
        pinned.sets = new MonitoredSets(pinned.run);
      }
      hooks.redraw();
      for (;;) {
        const progress = await getProgress('pinned');
        if (isNewer()) return;
        if (!progress.complete) continue;
        pinned.all = progress.stories;
        break;
      }
      show();
      document.body.dataset.pinned = String(mine);
    } catch (error) {
      if (!isNewer()) hooks.notify(error.message);
    }
  };

  /** Compares with a setting; null ends the comparison. @param {{rules: object, changes: object}|null} setting */
  const pin = setting => {
    app.pinned = setting && { rules: setting.rules, changes: { ...setting.changes }, run: null, sets: null, changed: [], all: null };
    delete document.body.dataset.pinned;
    hooks.redraw();
    ask();
  };
  const now = () => ({ rules: app.edits.rules, changes: app.edits.changes() });
  /** Exchanges A and B. */
  const swap = () => {
    const { pinned } = app, other = now();
    pin(other);
    app.edits.become('Swap A and B', pinned.changes, pinned.rules);
  };

  const table = (words, before, after) => {
    const made = element('table', undefined, 'result'), head = element('tr'), body = element('tbody');
    for (const name of ['', 'Alerts', 'Late', 'Missed']) {
      const cell = element('th', name);
      cell.scope = 'col';
      head.append(cell);
    }
    const row = (name, cells) => {
      const line = element('tr'), first = element('th', name);
      first.scope = 'row';
      line.append(first, ...cells.map(cell => element('td', cell)));
      body.append(line);
    };
    const a = before && numbersOf(before), b = numbersOf(after);
    row('A', a ? a.map(count) : ['…', '…', '…']);
    row('B', b.map(count));
    row('B − A', a ? b.map((number, index) => signed(number - a[index])) : ['…', '…', '…']);
    const top = element('thead');
    top.append(head);
    made.append(element('caption', words), top, body);
    return made;
  };
  const names = (words, list) => {
    if (!list.length) return [];
    const made = element('ul', undefined, 'names');
    for (const { id, change } of list.slice(0, 30)) {
      const item = element('li'), name = element('button', app.titleOf(id), 'link');
      name.type = 'button';
      name.dataset.story = id;
      name.addEventListener('click', () => hooks.choose(id));
      item.append(name, ` ${signed(change)}`);
      made.append(item);
    }
    if (list.length > 30) made.append(element('li', `and ${count(list.length - 30)} more`));
    return [element('h3', words), made];
  };
  const plain = (words, action, id) => {
    const made = element('button', words);
    made.type = 'button';
    made.id = id;
    made.addEventListener('click', action);
    return made;
  };
  const settingWords = () => {
    const { pinned } = app, rules = hooks.ruleWords(pinned.rules, app.edits.rules);
    const own = Object.entries(app.edits.changes()), keys = new Set(own.map(([id]) => id));
    const isSame = id => JSON.stringify(pinned.changes[id]) === JSON.stringify(app.edits.changes()[id]);
    const stories = [...new Set([...keys, ...Object.keys(pinned.changes)])].filter(id => !isSame(id)).length;
    if (stories) rules.push(`${count(stories)} ${stories === 1 ? 'story differs' : 'stories differ'}`);
    return rules.length ? rules : ['A and B are the same so far. Change a story or a rule.'];
  };

  let shown = null;
  const show = () => {
    const { pinned } = app;
    button.setAttribute('aria-pressed', String(Boolean(pinned)));
    box.hidden = $('key-a').hidden = !pinned;
    if (!pinned) { box.replaceChildren(); shown = null; return; }
    const isMany = app.scene.tracks.length > 1, known = pinned.run !== null;
    const before = isMany ? pinned.all : known ? pinned.changed : null, after = isMany ? app.stories : app.changed;
    const found = before ? differences(before, after) : [], words = settingWords();
    const key = JSON.stringify([words, known && numbersOf(pinned.changed), numbersOf(app.changed), numbersOf(after),
      before && numbersOf(before), found]);
    // A drag asks often, and mostly the result is the same.
    if (key === shown) return;
    shown = key;
    // Keep the keyboard's focus.
    const focused = box.contains(document.activeElement) ? document.activeElement.id : '';
    const list = element('ul', undefined, 'plain');
    list.append(...words.map(one => element('li', one)));
    const actions = element('div', undefined, 'actions');
    actions.append(plain('Swap A and B', swap, 'swap'), plain('End comparing', () => pin(null), 'unpin'));
    box.replaceChildren(element('h3', 'A and B'), list, table('This walk', known ? pinned.changed : null, app.changed),
      ...isMany ? [table('All walks', pinned.all, app.stories)] : [],
      ...names('More alerts with B', found.filter(one => one.change > 0)),
      ...names('More alerts with A', found.filter(one => one.change < 0)), actions);
    if (focused) $(focused)?.focus();
  };
  /** Says what A and B watch at the current moment. */
  const showMoment = () => {
    const line = $('both'), { state, stateA } = app;
    line.hidden = !state || !stateA;
    if (line.hidden) return;
    const only = (own, other) => [...own].filter(id => !other.has(id));
    const a = only(stateA.monitored, state.monitored), b = only(state.monitored, stateA.monitored);
    const list = ids => ids.slice(0, 6).map(app.titleOf).join(', ') + (ids.length > 6 ? ` and ${ids.length - 6} more` : '');
    line.textContent = `A watches ${count(stateA.monitored.size)}, drawn dashed`
      + (a.length ? `; only A: ${list(a)}` : '') + (b.length ? `; only B: ${list(b)}` : '') + '.';
  };
  /** Keeps A as it was after the store has changed. */
  const rebase = before => {
    if (!app.pinned) return;
    const { base } = app.edits, { changes } = app.pinned;
    for (const id of new Set([...before.keys(), ...base.keys()]))
      if (!Object.hasOwn(changes, id) && JSON.stringify(before.get(id)) !== JSON.stringify(base.get(id)))
        changes[id] = before.get(id) ?? null;
  };
  button.addEventListener('click', () => pin(app.pinned ? null : now()));
  return { pin, ask, rebase, show, showMoment };
};
