// How rules follow the chosen phone.

/** @typedef {import('./studio-wire.js').Rules} Rules */
/** @typedef {import('./studio-wire.js').Scene} Scene */

/** The rules that a phone determines. */
const OWN = [
  'limit',
  'distance',
  'interval',
  'initial',
  'margin',
  'hold',
  'fixes',
  'dwell',
  'alertOn',
  'test',
  'accuracy',
];

/**
 * The rules of a phone, or those without a phone.
 *
 * @param {Scene} scene
 * @param {string} word The phone's name; empty for none.
 * @returns {Rules}
 */
const rulesOf = (scene, word) => scene.phones.find((one) => one.word === word)?.rules ?? scene.plain;

/** Whether the reader has changed a rule that the phone determines. */
export const isAskedFor = (scene, rules, key) => OWN.includes(key) && rules[key] !== rulesOf(scene, rules.profile)[key];

/**
 * The rules after choosing another phone. They follow the new phone, except for those that the
 * reader has changed.
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
