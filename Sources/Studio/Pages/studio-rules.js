// The form with the engine's rule and the alert policy.

import { GLOSSARY } from './studio-words.js';

const DAY = 86400;
const COOLDOWNS = [['none', 'none'], ['3600', '1 hour'], [String(DAY), '1 day'], [String(7 * DAY), '7 days'],
  [String(30 * DAY), '30 days'], ['forever', 'forever']];

/** Each field: its key, its words, how it is made, how it is read from the rules and written into them. */
const number = (key, words, { least = 0, most = 21000000, step = 'any', unit = '', scale = 1, empty }) => ({
  key, words: unit ? `${words} in ${unit}` : words, make: () => {
    const input = element('input');
    Object.assign(input, { type: 'number', min: String(least), max: String(most), step });
    if (empty) input.placeholder = empty;
    return input;
  },
  show: (input, value) => { input.value = value === null ? '' : String(Math.round(value * scale * 1e6) / 1e6); },
  read: input => {
    if (input.value === '') return empty ? null : undefined;
    const value = Number(input.value);
    return value >= least && value <= most ? value / scale : undefined;
  },
});
const choice = (key, words, options) => ({
  key, words, make: () => {
    const select = element('select');
    for (const [value, text] of options) {
      const option = element('option', text);
      option.value = value;
      select.append(option);
    }
    return select;
  },
  show: (select, value) => {
    if (![...select.options].some(one => one.value === value)) {
      const option = element('option', `${value} s`);
      option.value = value;
      select.append(option);
    }
    select.value = value;
  },
  read: select => select.value,
});
const text = (key, words, pattern, placeholder) => ({
  key, words, make: () => {
    const input = element('input');
    Object.assign(input, { type: 'text', placeholder });
    return input;
  },
  show: (input, value) => { input.value = value; },
  read: input => pattern.test(input.value.trim()) ? input.value.trim() : undefined,
});

const FIELDS = [
  number('limit', 'Places monitored at a time', { least: 1, most: 100000, step: '1', empty: 'all' }),
  choice('refresh', 'Refresh', [['fixed', 'after a fixed distance'], ['adaptive', 'adaptive: before anything can be missed']]),
  number('distance', 'Distance between refreshes', { unit: 'metres' }),
  choice('rank', 'Nearest by', [['center', 'centre'], ['edge', 'edge of the circle']]),
  choice('initial', 'A new circle that holds the device already', [['silent', 'stays silent'], ['enter', 'counts as entered']]),
  number('margin', 'Exit margin', { unit: 'metres' }),
  choice('cooldown', 'Cool-down of a story', COOLDOWNS),
  text('quiet', 'Quiet hours', /^(\d{1,2}:\d{2}(:\d{2})?-\d{1,2}:\d{2}(:\d{2})?)?$/, '22:00-07:00'),
  text('zone', 'Whose clock', /^\S+$/, 'America/New_York'),
  number('speed', 'No alerts above', { unit: 'km/h', most: 100000, scale: 3.6, empty: 'any speed' }),
];

/**
 * Sets up the form.
 *
 * @param app What the page shows; see `studio.js`.
 */
export const openRules = app => {
  const form = $('rules'), inputs = new Map();
  form.addEventListener('submit', event => event.preventDefault());
  for (const field of FIELDS) {
    const label = element('label', field.words), input = field.make();
    input.name = field.key;
    if (field.key === 'cooldown') label.title = GLOSSARY.cooldown;
    input.addEventListener('change', () => {
      const value = field.read(input);
      input.setCustomValidity(value === undefined ? 'This value is not understood' : '');
      if (value === undefined) return input.reportValidity();
      app.edits.setRules(`${field.words}`, { ...app.edits.rules, [field.key]: value });
    });
    inputs.set(field.key, input);
    label.append(input);
    form.append(label);
  }
  const reset = element('button', 'As to begin with');
  reset.type = 'button';
  reset.id = 'rules-reset';
  reset.addEventListener('click', () => app.edits.setRules('Rules as to begin with', app.edits.startRules));
  form.append(reset);
  return {
    show: () => {
      for (const field of FIELDS) {
        const input = inputs.get(field.key);
        if (document.activeElement !== input || input.tagName === 'SELECT') field.show(input, app.edits.rules[field.key]);
      }
      inputs.get('distance').disabled = app.edits.rules.refresh === 'adaptive';
      inputs.get('rank').disabled = app.edits.rules.refresh === 'adaptive';
    },
  };
};
