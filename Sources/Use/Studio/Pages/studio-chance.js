// The chances of alerts on the chosen phone, requested after changes pause and shown as they
// arrive.

import { say, showGains } from './studio-lists.js';
import { getChances, postChance } from './studio-wire.js';

/** @typedef {import('./studio-wire.js').Odds} Odds */

// Pauses within a drag are shorter than this, in milliseconds.
const SETTLED = 250;

const LOSSES = {
  limit: 'other stories were nearer',
  refresh: 'the lookup came too late',
  'small-radius': 'the circle is too small',
  'short-stay': 'the stay is too short',
  chance: 'of bad luck',
};

/** How many alerts phones show of some stories on average. @param {Map<string, Odds>} stories */
const meanOf = (stories, trials) => [...stories.values()].reduce((sum, one) => sum + one.alerts, 0) / trials;

/**
 * Sets up the questions about chances.
 *
 * @param app What the page shows; see `studio.js`.
 * @param {{changed: () => void, settled: (alerts: number) => void, notify: (sentence: string) => void,
 *   choose: (id: string) => void}} hooks
 *   `settled` gets the alerts that phones show on all walks, on average, once all are simulated.
 */
export const openChances = (app, hooks) => {
  let timer = 0, run = 0;
  /** @type {import('./studio-wire.js').Chances|null} */
  let known = null, hasFailed = false;
  const box = $('chances');
  let chosen = { phones: null, profile: null, phone: null };
  /** The chosen phone. It is asked for each story, and looked up again only after a change. */
  const phone = () => {
    const { scene: { phones }, rules: { profile } } = app;
    if (chosen.phones !== phones || chosen.profile !== profile) {
      chosen = { phones, profile, phone: phones.find((one) => one.word === profile) };
    }
    return chosen.phone;
  };
  let hadPhone = null;
  const odds = (id) => known?.done ? known.stories.get(id) ?? null : null;

  /** What phones showed before any story was changed, by the phone and the walks. */
  const starts = new Map();
  const startKey = () =>
    JSON.stringify([app.rules.profile, app.rules.trials, app.rules.seed, app.scene.tracks.map((one) => one.name)]);
  /** Shows the alerts before and now, on the same walks and phones, and the stories that gain or lose some. */
  const showDifference = () => {
    const start = known?.complete ? starts.get(startKey()) ?? null : null;
    const alertsOf = (one, id) => (one.stories.get(id)?.alerts ?? 0) / one.trials;
    const gains = start
      ? [...new Set([...start.stories.keys(), ...known.stories.keys()])]
        .map((id) => [id, alertsOf(known, id) - alertsOf(start, id)]).filter(([, gain]) => Math.abs(gain) >= .05)
      : [];
    showGains(app, $('shown-changed'), gains, meanWords, hooks);
    if (!start || !gains.length && !Object.keys(app.edits.changes()).length) {
      say('chances-change', '');
      return;
    }
    // The difference is that of the numbers shown, so that they add up.
    const [before, now] = [start, known].map((one) => meanWords(meanOf(one.stories, one.trials))), gain = now - before;
    const words = before !== now
      ? `${gain > 0 ? '+' : '−'}${meanWords(Math.abs(gain))}`
      : gains.length
      ? 'as many'
      : 'no difference';
    say('chances-change', `Before ${before} alerts, now ${now}: ${words}.`);
  };

  const show = () => {
    box.hidden = !phone();
    // With a phone, its chance is the result, and that of a perfect phone folds away.
    if (hadPhone !== Boolean(phone())) {
      hadPhone = Boolean(phone());
      $('perfect').open = !hadPhone;
      document.body.dataset.phone = String(hadPhone);
    }
    $('chance-dots').hidden = box.hidden || !known?.done;
    $('chance-dots').replaceChildren(phoneDots(known?.dots));
    if (box.hidden) {
      showGains(app, $('shown-changed'), [], meanWords, hooks);
      return;
    }
    showDifference();
    if (!known?.done) {
      say(
        'chances-head',
        `On a real phone (${app.rules.profile}): ${known ? 'simulating…' : 'waiting for your changes…'}`,
      );
      say('chances-rest', '');
      return;
    }
    const { trials, complete, done, of, untimed, failures } = known, own = meanWords(meanOf(known.shown, trials));
    const all = meanWords(meanOf(known.stories, trials));
    const where = complete ? 'all walks' : `the first ${count(done)} of ${count(of)} walks`;
    say(
      'chances-head',
      `Phones (${app.rules.profile}) show ${own} alerts on this walk` +
        `${of > 1 ? `${complete ? '' : '; so far,'} ${complete ? 'and ' : ''}${all} on ${where}` : ''}.`,
    );
    const without = untimed ? ` ${count(untimed)} ${untimed === 1 ? 'walk has' : 'walks have'} no times.` : '';
    say(
      'chances-rest',
      `${phone().title}; ${count(trials)} ${trials === 1 ? 'run' : 'runs'}, seed ${app.rules.seed}.` +
        `${without}${failures.map((one) => ` ${one}.`).join('')}`,
    );
  };

  /** Asks until all walks are simulated or something newer is asked. */
  const follow = async (mine) => {
    const question = app.question();
    try {
      await postChance(question);
      for (;;) {
        const found = await getChances();
        if (mine !== run || found.question !== question.number) return;
        known = found;
        if (found.complete && !Object.keys(question.changes).length && !starts.has(startKey())) {
          starts.set(startKey(), found);
        }
        show();
        hooks.changed();
        if (!found.complete) continue;
        hooks.settled(meanOf(found.stories, found.trials));
        document.body.dataset.simulated = String(question.number);
        return;
      }
    } catch (error) {
      if (mine !== run) return;
      hasFailed = true;
      hooks.changed();
      hooks.notify(error.message);
    }
  };

  /** Forgets the chances after a change. */
  const forget = () => {
    clearTimeout(timer);
    run += 1;
    known = null;
    hasFailed = false;
    show();
  };

  return {
    forget,
    /** Asks soon, unless something changes before that. */
    ask: () => {
      forget();
      if (!phone() || !app.scene.tracks.length) return;
      const mine = run;
      timer = setTimeout(() => follow(mine), SETTLED);
    },
    /** The share of the walks that are simulated; null if there is nothing to simulate. */
    get simulated() {
      return !phone() || !app.scene.tracks.length || hasFailed
        ? null
        : known?.complete
        ? 1
        : (known?.done ?? 0) / app.scene.tracks.length;
    },
    /** Whether a phone is chosen, so that chances are the result. */
    get hasPhone() {
      return Boolean(phone());
    },
    /** The trials of a story over all walks simulated so far; null if it was neither due nor shown. */
    odds,
    /** The share of phones that alert for a story, on the walk where most do; null if unknown. */
    ofStory: (id) => known?.done ? odds(id)?.share ?? 0 : null,
    /** The share of phones that alert for a story on the shown walk; null if unknown. */
    onWalk: (id) => known?.done ? known.shown.get(id)?.share ?? 0 : null,
    /** What becomes of 20 phones with a story on the shown walk; null if no alert is due. */
    dots: (id) => known?.shown.get(id)?.dots ?? null,
    /** A sentence about a story's chance on the shown walk; empty without a phone. */
    words: (id) => {
      if (!phone()) return '';
      const name = `On this walk, on a real phone (${app.rules.profile})`;
      if (!known?.done) return `${name}: simulating…`;
      const own = known.shown.get(id), how = `${count(known.trials)} runs, seed ${app.rules.seed}`;
      if (!own) return `${name}: no phone alerts; ${how}.`;
      const lost = !own.isDue
        ? '; nobody enters its circle'
        : own.share < 1 && LOSSES[own.loss]
        ? `; most others are lost because ${LOSSES[own.loss]}`
        : '';
      return `${name}: ${shareWords(own.share)} of phones alert in ${how} (95 % interval ${shareWords(own.low)} to ${
        shareWords(own.high)
      })${lost}.`;
    },
  };
};
