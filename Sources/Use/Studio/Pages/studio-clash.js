// Fields of a story that two people changed: the table of them, and the choice for each.

import { clashesOf } from './studio-edits.js';

/** @typedef {import('./studio-wire.js').Place} Place */
/** @typedef {{id: string, field: string, known: Place|null, stored: Place|null, mine: Place|null}} Clash */

const FIELD_WORDS = { story: 'the whole story', url: 'link' };
const SIDES = [['theirs', 'Theirs, in the store'], ['yours', 'Yours']];

/** The fields that were changed on both sides. @returns {Clash[]} */
export const clashesIn = (app, conflicts) =>
  conflicts.flatMap(({ id, stored }) => {
    const known = app.edits.base.get(id) ?? null, mine = app.edits.places.get(id) ?? null;
    return clashesOf(known, mine, stored).map((field) => ({ id, field, known, stored, mine }));
  });

/** A field's value in words. @param {Place|null} place @param {Place|null} known */
const valueWords = (place, field, known) =>
  !place
    ? known ? 'removed' : 'not there'
    : field === 'story'
    ? place === known ? 'as it was' : known ? 'changed' : 'added'
    : field === 'position'
    ? `${place.lat}, ${place.lon}`
    : field === 'radius'
    ? `${place.radius} m`
    : cut(String(place[field] || '') || 'empty', 200);

/**
 * The table of clashes, in which a side is chosen for each field.
 *
 * @param {Clash[]} clashes
 * @param {(isComplete: boolean) => void} onChoice Called after each choice.
 */
export const clashTable = (app, clashes, onChoice) => {
  const table = element('table', undefined, 'clashes'),
    top = element('thead'),
    head = element('tr'),
    body = element('tbody');
  const choices = clashes.map(() => '');
  for (const words of ['Story', 'Field', 'Before', ...SIDES.map(([, words]) => words)]) {
    const cell = element('th', words);
    cell.scope = 'col';
    head.append(cell);
  }
  clashes.forEach(({ id, field, known, stored, mine }, number) => {
    const row = element('tr'), story = element('th', cut(known?.title || app.titleOf(id), MOST_TITLE));
    story.scope = 'row';
    story.title = id;
    row.append(story, element('td', FIELD_WORDS[field] ?? field), element('td', valueWords(known, field, known)));
    for (const [side] of SIDES) {
      const cell = element('td', undefined, 'value'), label = element('label'), choice = element('input');
      choice.type = 'radio';
      choice.name = `clash-${number}`;
      choice.value = side;
      choice.addEventListener('change', () => {
        choices[number] = side;
        onChoice(choices.every(Boolean));
      });
      label.append(choice, ` ${valueWords(side === 'yours' ? mine : stored, field, known)}`);
      cell.append(label);
      row.append(cell);
    }
    body.append(row);
  });
  top.append(head);
  table.append(top, body);
  const box = element('div', undefined, 'scroll');
  box.append(table);
  const several = clashes.length > 1;
  const words = `Nothing is saved yet. Both of you changed ${several ? 'these fields' : 'this field'}. ` +
    `Choose which ${several ? 'values' : 'value'} to keep. All other changes are kept, theirs and yours.`;
  return {
    contents: [element('p', words), box],
    /** Chooses one side for all fields. */
    all: (side) => {
      for (const choice of table.querySelectorAll(`[value=${side}]`)) choice.click();
    },
    takesTheirs: (id, field) =>
      clashes.some((one, number) => one.id === id && one.field === field && choices[number] === 'theirs'),
  };
};
