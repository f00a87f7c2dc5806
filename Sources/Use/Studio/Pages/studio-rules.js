// The form with the phone, the rules and their file.

import { isAskedFor, withPhone } from './studio-phones.js';
import { postExport, postReminders } from './studio-wire.js';
import { GLOSSARY } from './studio-words.js';

const DAY = 86400;
const COOLDOWNS = [['none', 'none'], ['3600', '1 hour'], [String(DAY), '1 day'], [String(7 * DAY), '7 days'], [
  String(30 * DAY),
  '30 days',
], ['forever', 'forever']];

/**
 * A field for a number. `scale` converts from the rules' unit to the shown one. `empty` stands for
 * no value.
 */
const number = (key, words, { least = 0, most = 21000000, step = 'any', unit = '', scale = 1, empty }) => ({
  key,
  words: unit ? `${words} (${unit})` : words,
  make: () => {
    const input = element('input');
    Object.assign(input, { type: 'number', min: String(least), max: String(most), step });
    if (empty) input.placeholder = empty;
    return input;
  },
  show: (input, value) => {
    input.value = value === null ? '' : String(Math.round(value * scale * 1e6) / 1e6);
  },
  read: (input) => {
    if (input.value === '') return empty ? null : undefined;
    const value = Number(input.value);
    return value >= least && value <= most ? value / scale : undefined;
  },
});
const choice = (key, words, options) => ({
  key,
  words,
  make: () => {
    const select = element('select');
    for (const [value, text] of options) {
      const option = element('option', text);
      option.value = value;
      select.append(option);
    }
    return select;
  },
  show: (select, value) => {
    if (![...select.options].some((one) => one.value === value)) {
      const option = element('option', `${value} s`);
      option.value = value;
      select.append(option);
    }
    select.value = value;
  },
  read: (select) => select.value,
});
const text = (key, words, pattern, placeholder) => ({
  key,
  words,
  make: () => {
    const input = element('input');
    Object.assign(input, { type: 'text', placeholder });
    return input;
  },
  show: (input, value) => {
    input.value = value;
  },
  read: (input) => pattern.test(input.value.trim()) ? input.value.trim() : undefined,
});

/** The choice of the phone. The rules that it determines change with it. */
const phone = {
  ...choice('profile', 'Phone or engine', []),
  show: (select, value, app) => {
    if (!select.options.length) {
      const optionOf = ({ word, title }) => {
        const option = element('option', word ? `${word}: ${title}` : title);
        option.value = word;
        return option;
      };
      // Editors have readers with phones; engines on servers are for those who build such a service.
      const kindOf = ({ word, isOwn }) =>
        isOwn ? 'Your own' : /iphone|android|ios/i.test(word) ? 'Phones' : 'Engines and services';
      select.append(optionOf({ word: '', title: 'none, only these rules' }));
      for (const label of ['Your own', 'Phones', 'Engines and services']) {
        const own = app.scene.phones.filter((one) => kindOf(one) === label);
        if (!own.length) continue;
        const group = element('optgroup');
        group.label = label;
        group.append(...own.map(optionOf));
        select.append(group);
      }
    }
    select.value = value;
  },
  write: (app, value) => withPhone(app.scene, app.edits.rules, value),
};
const whole = (key, words, bounds) => number(key, words, { step: '1', ...bounds });

const zone = {
  ...text('zone', 'Time zone of quiet hours and dates', /^\S+$/, 'America/New_York or +01:00'),
  show: (input, value) => {
    input.value = value === 'Z' ? 'UTC' : value;
  },
  read: (input) => {
    const name = input.value.trim();
    if (/^(Z|UTC)$/i.test(name)) return 'Z';
    return /^\S+$/.test(name) ? name : undefined;
  },
};

/** How to make the field of a rule, by the kind of its value. The rules' times are in seconds here. */
const KINDS = {
  word: (row) => choice(row.key, row.words, row.choices),
  count: (row) => whole(row.key, row.words, { least: row.least, most: row.most, empty: row.none }),
  meters: (row) => number(row.key, row.words, { most: row.most, unit: 'm', empty: row.none }),
  milliseconds: (row) => number(row.key, row.words, { most: row.most / 1000, unit: 's', empty: row.none }),
  metersPerSecond: (row) =>
    number(row.key, row.words, { most: row.most * 3.6, unit: 'km/h', scale: 3.6, empty: row.none }),
  cooldown: (row) => choice(row.key, row.words, COOLDOWNS),
  quietHours: (row) => text(row.key, row.words, /^(\d{1,2}:\d{2}(:\d{2})?-\d{1,2}:\d{2}(:\d{2})?)?$/, row.none),
  dates: (row) => text(row.key, row.words, /^(recorded|ignore|\d{4}-\d{2}-\d{2})$/, '2026-03-04'),
};

/**
 * The groups of fields: a heading, whether the group is open at first, and its fields.
 *
 * @param {import('./studio-wire.js').Scene} scene
 */
const groupsOf = (scene) => {
  const group = (heading) => scene.fields.filter((row) => row.group === heading).map((row) => KINDS[row.kind](row));
  return [
    ['Phone', true, [phone]],
    ['What the phone does', true, group('What the phone does')],
    ['When it alerts', true, [...group('When it alerts'), zone]],
    ['What counts as a crossing', false, group('What counts as a crossing')],
    ['Simulation', false, [
      whole('trials', 'Runs per walk', { least: 1, most: 100000 }),
      whole('seed', 'Random seed', { most: Number.MAX_SAFE_INTEGER }),
    ]],
  ];
};

/** Whether other rules make a field meaningless. */
const isIdle = (key, rules) =>
  (key === 'distance' || key === 'rank') && rules.refresh === 'adaptive' ||
  key === 'accuracy' && rules.test === 'path' || (key === 'trials' || key === 'seed') && !rules.profile;

/**
 * Sets up the form.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `takeRules(file)`, `notify(sentence)`.
 */
export const openRules = (app, hooks) => {
  const form = $('rules'), inputs = new Map(), marks = new Map();
  const groups = groupsOf(app.scene), fields = groups.flatMap(([, , own]) => own);
  form.addEventListener('submit', (event) => event.preventDefault());
  const fieldOf = (field) => {
    const label = element('label'), input = field.make(), mark = element('span', '', 'asked');
    label.append(element('span', field.words), mark, input);
    input.name = field.key;
    if (field.key === 'cooldown') label.title = GLOSSARY.cooldown;
    input.addEventListener('change', () => {
      const value = field.read(input);
      input.setCustomValidity(value === undefined ? 'This value is not valid.' : '');
      if (value === undefined) return input.reportValidity();
      app.edits.setRules(field.words, field.write?.(app, value) ?? { ...app.edits.rules, [field.key]: value });
    });
    inputs.set(field.key, input);
    marks.set(field.key, mark);
    return label;
  };
  for (const [heading, isOpen, own] of groups) {
    const group = element('details');
    group.open = isOpen;
    group.append(element('summary', heading), ...own.map(fieldOf));
    form.append(group);
  }
  const button = (words, id, action) => {
    const made = element('button', words);
    Object.assign(made, { type: 'button', id });
    made.addEventListener('click', action);
    return made;
  };
  const file = $('rules-file'), actions = element('div', undefined, 'actions');
  file.addEventListener('change', async () => {
    try {
      for (const one of file.files) await hooks.takeRules(one);
    } catch (error) {
      hooks.notify(error.message);
    }
    file.value = '';
  });
  const save = async () => {
    try {
      download('rules.yaml', 'application/yaml', await postExport({ ...app.question(), form: 'rules' }));
    } catch (error) {
      hooks.notify(error.message);
    }
  };
  actions.append(
    button('Open rules…', 'rules-open', () => file.click()),
    button('Save rules…', 'rules-save', save),
    button('Reset rules', 'rules-reset', () => app.edits.setRules('Reset rules', app.edits.startRules)),
  );
  form.append(actions);
  let shown = null;
  return {
    /** Shows what the stories and rules cost reminders, unless a newer question came meanwhile. */
    askReminders: async () => {
      if (!app.scene.reminders) return;
      const question = app.question();
      try {
        const { text } = await postReminders(question);
        if (text && question.number === app.question().number) $('reminders').textContent = text;
      } catch (error) {
        hooks.notify(error.message);
      }
    },
    show: () => {
      const { rules } = app.edits;
      // Most changes are to stories.
      if (shown === rules) return;
      shown = rules;
      for (const field of fields) {
        const input = inputs.get(field.key);
        if (document.activeElement !== input || input.tagName === 'SELECT') field.show(input, rules[field.key], app);
        input.disabled = isIdle(field.key, rules);
        marks.get(field.key).textContent = rules.profile && isAskedFor(app.scene, rules, field.key)
          ? `, changed from ${rules.profile}`
          : '';
      }
    },
  };
};
