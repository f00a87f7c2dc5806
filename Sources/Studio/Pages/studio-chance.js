// The chances of alerts on the chosen phone, requested after changes pause and shown as they
// arrive.

import { say } from './studio-lists.js';
import { getChances, postChance } from './studio-wire.js';

/** @typedef {import('./studio-wire.js').Odds} Odds */

// Pauses within a drag are shorter than this, in milliseconds.
const SETTLED = 250;

const LOSSES = { limit: 'other stories were nearer', refresh: 'the lookup came too late',
  'small-radius': 'the circle is too small', 'short-stay': 'the stay is too short', chance: 'of bad luck' };

/**
 * Sums up the trials of stories, as averages per run.
 *
 * @param {Odds[]} rows
 * @returns {{due: number, coming: number, extra: number, share: number|null}} The alerts that are due, those of them
 *   that come, the alerts without an entry, and the share of the due ones that comes.
 */
const sumOf = (rows, trials) => {
  const due = rows.filter(one => one.isDue);
  const among = due.reduce((sum, one) => sum + one.trials, 0), coming = due.reduce((sum, one) => sum + one.alerts, 0);
  const extra = rows.filter(one => !one.isDue).reduce((sum, one) => sum + one.alerts, 0);
  return { due: among / trials, coming: coming / trials, extra: extra / trials, share: among ? coming / among : null };
};

/** How many of the due alerts come on some walks. */
const sentenceOf = ({ due, coming, share }, where) => share === null ? `no alert is due on ${where}`
  : `${coming.toFixed(1)} of ${count(Math.round(due))} due alerts come on ${where} (${shareWords(share)})`;

/**
 * Sets up the questions about chances.
 *
 * @param app What the page shows; see `studio.js`.
 * @param {{changed: () => void, notify: (sentence: string) => void}} hooks
 */
export const openChances = (app, hooks) => {
  let timer = 0, run = 0;
  /** @type {import('./studio-wire.js').Chances|null} */
  let known = null;
  const box = $('chances');
  const phone = () => app.scene.phones.find(one => one.word === app.rules.profile);
  let hadPhone = null;
  const odds = id => known?.done ? known.due.get(id) ?? null : null;

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
    if (box.hidden) return;
    if (!known?.done) {
      say('chances-head', `On a real phone (${app.rules.profile}): ${known ? 'simulating…' : 'waiting for your changes…'}`);
      say('chances-rest', '');
      return;
    }
    const { trials, complete, done, of, untimed, failures } = known, own = sumOf([...known.shown.values()], trials);
    const all = sumOf([...known.due.values(), ...known.extra.values()], trials), { extra } = of > 1 ? all : own;
    say('chances-head', `On a real phone (${app.rules.profile}), ${sentenceOf(own, 'this walk')}`
      + `${of > 1 ? `; ${sentenceOf(all, 'all walks')}` : ''}.`);
    const rest = complete ? '' : ` ${count(done)} of ${count(of)} walks…`;
    const without = untimed ? ` ${count(untimed)} ${untimed === 1 ? 'walk has' : 'walks have'} no times.` : '';
    const more = extra >= .05 ? ` Besides, ${extra.toFixed(1)} false alerts come, without an entry.` : '';
    say('chances-rest', `${phone().title}; ${count(trials)} ${trials === 1 ? 'run' : 'runs'}, seed ${app.rules.seed}.`
      + `${more}${rest}${without}${failures.map(one => ` ${one}.`).join('')}`);
  };

  /** Asks until all walks are simulated or something newer is asked. */
  const follow = async mine => {
    const question = app.question();
    try {
      await postChance(question);
      for (;;) {
        const found = await getChances();
        if (mine !== run || found.question !== question.number) return;
        known = found;
        show();
        hooks.changed();
        if (!found.complete) continue;
        document.body.dataset.simulated = String(question.number);
        return;
      }
    } catch (error) {
      if (mine === run) hooks.notify(error.message);
    }
  };

  /** Forgets the chances after a change. */
  const forget = () => {
    clearTimeout(timer);
    run += 1;
    known = null;
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
    /** Whether a phone is chosen, so that chances are the result. */
    get hasPhone() { return Boolean(phone()); },
    /** The trials of a story over all walks simulated so far; null if no alert is due. */
    odds,
    /** The chance of a story's due alerts over all walks; null if unknown, or if none is due. */
    ofStory: id => odds(id) ? odds(id).alerts / odds(id).trials : null,
    /** The chance of a story's alert on the shown walk; null if unknown, or if none is due. */
    onWalk: id => {
      const own = known?.shown.get(id);
      return own?.isDue ? own.alerts / own.trials : null;
    },
    /** What becomes of 20 phones with a story on the shown walk; null if no alert is due. */
    dots: id => known?.shown.get(id)?.dots ?? null,
    /** A sentence about a story's chance on the shown walk; empty without a phone. */
    words: id => {
      if (!phone()) return '';
      const name = `On this walk, on a real phone (${app.rules.profile})`;
      if (!known?.done) return `${name}: simulating…`;
      const own = known.shown.get(id), how = `${count(known.trials)} runs, seed ${app.rules.seed}`;
      if (!own) return `${name}: no alert of this story is due on this walk; ${how}.`;
      const share = shareWords(own.alerts / own.trials);
      if (!own.isDue) return `${name}: a false alert, without an entry, in ${share} of ${how}.`;
      const lost = own.alerts < own.trials && LOSSES[own.loss] ? `; most others are lost because ${LOSSES[own.loss]}` : '';
      return `${name}: the alert comes in ${share} of ${how} (95 % interval ${shareWords(own.low)} to ${shareWords(own.high)})${lost}.`;
    },
  };
};
