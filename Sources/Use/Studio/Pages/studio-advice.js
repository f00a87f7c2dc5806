// The Advice panel: proposed changes that can be shown, applied and undone.

import { postAdvise, postAdviseStop } from './studio-wire.js';

/**
 * A line of `fencepost advise`.
 *
 * @typedef {{ type: string, number: number, kind: string, change: string, why: string, alerts: number, persons: number,
 *   refreshes: number, simulated?: { gain: number, interval: number[] }, places: object[], rule?: object }} Proposal
 *   With a phone, `simulated` are the alerts that it shows.
 */

const signed = (number) => number > 0 ? `+${count(number)}` : number < 0 ? `−${count(-number)}` : '0';
const several = (number, one, more) => `${signed(number)} ${Math.abs(number) === 1 ? one : more}`;
/** Gained alerts in words: whole ones, or the mean of simulated phones. */
const alertWords = (number, isMean) =>
  isMean ? `${number < 0 ? '−' : '+'}${meanWords(Math.abs(number))} alerts` : several(number, 'alert', 'alerts');
/** What a proposal gains, in words. @param {Proposal} proposal */
const gainWords = ({ alerts, persons, refreshes, simulated }) => {
  if (simulated) {
    return `${alertWords(simulated.gain, true)} on phones (${simulated.interval.map(meanWords).join(' to ')})`;
  }
  return [[alerts, 'alert', 'alerts'], [persons, 'reader', 'readers'], [refreshes, 'lookup', 'lookups']]
    .filter(([number], at) => number || !at).map((one) => several(...one)).join(', ');
};

/**
 * The stories after a proposal, given `placeOf` to find them by ID; null if one of them is not
 * here.
 */
const itemsOf = (proposal, placeOf) => {
  const items = [];
  for (const one of proposal.places) {
    const place = placeOf(one.place);
    if (!place) return null;
    const after = { ...place };
    for (const [from, to] of [['newLat', 'lat'], ['newLon', 'lon'], ['newRadius', 'radius']]) {
      if (one[from] !== undefined) after[to] = one[from];
    }
    items.push({ id: one.place, after });
  }
  return items;
};
/** The rules after a proposal. */
export const rulesOf = ({ rule }, rules) =>
  !rule ? rules : {
    ...rules,
    limit: rule.limit,
    refresh: rule.refresh,
    rank: rule.refresh === 'adaptive' ? rules.rank : rule.rank,
    distance: rule.significantChange ?? rules.distance,
  };

/** The proposals among lines of advice. Throws if one of them is incomplete. @returns {Proposal[]} */
const proposalsIn = (lines) => {
  const proposals = lines.filter((one) => one?.type === 'proposal');
  for (const one of proposals) {
    if (typeof one.change !== 'string' || !Array.isArray(one.places)) {
      throw new Error('A proposal of this advice is incomplete.');
    }
  }
  return proposals;
};

/**
 * Sets up the panel.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `choose(story, isShown, staysOnTab)`, `showTab(id)`, `notify(sentence)`.
 */
export const openAdvice = (app, hooks) => {
  /** @type {Proposal[]} */
  let proposals = [];
  /** The alerts gained here by applied proposals, by index. @type {Map<number, number>} */
  let gains = new Map();
  /** The current number of alerts on all walks; null until it is known. */
  let alerts = null, trying = null, isSearching = false, shownKey = null;

  const apply = (chosen) => {
    let { rules } = app;
    const after = new Map();
    for (const index of chosen) {
      const proposal = proposals[index];
      const items = itemsOf(proposal, (id) => after.has(id) ? after.get(id) : app.edits.places.get(id));
      if (!items) return hooks.notify(`Change ${proposal.number} is about stories that this studio does not have.`);
      for (const { id, after: place } of items) after.set(id, place);
      rules = rulesOf(proposal, rules);
    }
    trying = alerts === null ? null : { index: chosen.length === 1 ? chosen[0] : -1, before: alerts };
    app.edits.change(
      chosen.length === 1 ? proposals[chosen[0]].change : `Apply ${chosen.length} changes`,
      [...after].map(([id, place]) => ({ id, after: place })),
      rules,
    );
    if (trying) trying.done = app.edits.done;
    look(chosen[0]);
  };
  /** Shows the story, the spot or the rule that a proposal changes. */
  const look = (index) => {
    const proposal = proposals[index], first = proposal.places.find((one) => app.edits.places.has(one.place));
    if (first) hooks.choose(first.place, true, true);
    else if (proposal.places[0]) app.stage.show({ id: '', ...proposal.places[0], radius: 1 });
    else hooks.showTab('tab-rules');
  };
  /**
   * `done` if everything is already as proposed, `absent` if a story is not here, and otherwise
   * `open`.
   */
  const stateOf = (proposal) => {
    const items = itemsOf(proposal, (id) => app.edits.places.get(id));
    if (!items) return 'absent';
    const rules = rulesOf(proposal, app.rules);
    return app.edits.differs(items, rules) ? 'open' : 'done';
  };

  const button = (words, label, action, isDisabled = false) => {
    const made = element('button', words);
    made.type = 'button';
    made.disabled = isDisabled;
    made.setAttribute('aria-label', `${words}: ${label}`);
    made.addEventListener('click', action);
    return made;
  };
  const itemFor = (proposal, index) => {
    const item = element('li'), actions = element('div', undefined, 'actions'), state = stateOf(proposal);
    const here = state === 'done' && gains.has(index)
      ? ` Measured here: ${alertWords(gains.get(index), app.chances.hasPhone)}.`
      : '';
    const isLast = state === 'done' && app.edits.canUndo &&
      app.edits.steps[app.edits.done - 1].words === proposal.change;
    actions.append(
      button('Show', proposal.change, () => look(index)),
      isLast
        ? button('Undo', proposal.change, () => app.edits.undo())
        : button(state === 'done' ? 'Applied' : 'Apply', proposal.change, () => apply([index]), state !== 'open'),
    );
    item.append(
      element('p', proposal.change, 'change'),
      element('p', `${proposal.why}.`, 'dim'),
      element('p', `Expected: ${gainWords(proposal)}.${here}`, 'gain'),
      actions,
    );
    if (state === 'absent') item.append(element('p', 'This studio does not have its stories.', 'bad'));
    return item;
  };
  /** Shows the proposals and their states. */
  const show = () => {
    const key = JSON.stringify([proposals.length, app.edits.done, app.edits.steps.length, [...gains], isSearching]);
    if (key === shownKey) return;
    shownKey = key;
    const list = $('advice'),
      focus = list.contains(document.activeElement)
        ? [...list.querySelectorAll('button')].indexOf(document.activeElement)
        : -1;
    list.replaceChildren(...proposals.map(itemFor));
    if (focus >= 0) {
      const wanted = list.querySelectorAll('button')[focus];
      (wanted?.disabled ? wanted.previousElementSibling : wanted)?.focus();
    }
    $('advice-find').textContent = isSearching ? 'Stop' : 'Suggest changes';
    $('advice-all').hidden = proposals.length < 2;
    $('advice-all').disabled = !proposals.some((one) => stateOf(one) === 'open');
  };
  const take = (found, words) => {
    [proposals, gains] = [found, new Map()];
    shownKey = null;
    $('advice-status').textContent = words;
    show();
  };
  const wordsFor = (found) =>
    found.length
      ? `${found.length === 1 ? '1 change' : `${count(found.length)} changes`} proposed. ` +
        'Gains add up from top to bottom.'
      : 'No change would gain an alert.';

  const search = async () => {
    if (isSearching) return postAdviseStop();
    isSearching = true;
    $('advice-status').textContent = 'Trying changes on all walks…';
    show();
    try {
      const found = proposalsIn((await postAdvise(app.question())).lines);
      isSearching = false;
      take(found, wordsFor(found));
    } catch (error) {
      isSearching = false;
      $('advice-status').textContent = error.message;
      show();
    }
  };
  $('advice-find').addEventListener('click', search);
  $('advice-all').addEventListener(
    'click',
    () => apply(proposals.map((one, index) => index).filter((index) => stateOf(proposals[index]) === 'open')),
  );
  if (app.scene.advice.length) {
    const found = proposalsIn(app.scene.advice);
    take(found, wordsFor(found));
    hooks.showTab('tab-advice');
  }
  return {
    /** Shows the advice in a file's text. */
    take: (text, name) => {
      const lines = text.split('\n').filter((line) => line.trim()).map((line, index) => {
        try {
          return JSON.parse(line);
        } catch {
          throw new Error(`${name}, line ${index + 1}: not JSON. Use the NDJSON output of fencepost advise.`);
        }
      });
      const found = proposalsIn(lines);
      take(found, `${name}: ${wordsFor(found)}`);
      hooks.showTab('tab-advice');
    },
    /** Call after a change: the number of alerts is unknown until `settled`. */
    changed: () => {
      alerts = null;
      show();
    },
    /** Call with the number of alerts once all walks are replayed, or with a phone, simulated. */
    settled: (number) => {
      alerts = number;
      if (!trying || trying.done !== app.edits.done) return;
      if (trying.index >= 0) gains.set(trying.index, number - trying.before);
      else {$('advice-status').textContent = `Measured here with all changes: ${
          alertWords(number - trying.before, app.chances.hasPhone)
        }.`;}
      trying = null;
      show();
    },
  };
};
