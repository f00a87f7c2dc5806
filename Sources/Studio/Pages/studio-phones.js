// The phones that can be chosen, and which rules follow the chosen one.

/** @typedef {import('./studio-wire.js').Rules} Rules */
/** @typedef {import('./studio-wire.js').Scene} Scene */

/** The rules that a phone has of its own. */
const OWN = ['limit', 'distance', 'interval', 'initial', 'margin', 'hold', 'fixes', 'dwell', 'alertOn', 'test', 'accuracy'];

/**
 * The rules of a phone, or those without one.
 *
 * @param {Scene} scene
 * @param {string} word The phone's name, empty for none.
 * @returns {Rules}
 */
const rulesOf = (scene, word) => scene.phones.find(one => one.word === word)?.rules ?? scene.plain;

/** Whether a rule is another than that of the phone, because somebody has asked for it. */
export const isAskedFor = (scene, rules, key) => OWN.includes(key) && rules[key] !== rulesOf(scene, rules.profile)[key];

/**
 * The rules after another phone has been chosen: what followed the phone before follows the new one, and what
 * somebody has asked for stays.
 *
 * @param {Scene} scene
 * @param {Rules} rules
 * @param {string} word
 * @returns {Rules}
 */
export const withPhone = (scene, rules, word) => {
  const next = { ...rules, profile: word }, usual = rulesOf(scene, word);
  for (const key of OWN) if (!isAskedFor(scene, rules, key)) next[key] = usual[key];
  return next;
};
