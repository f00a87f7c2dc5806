// What was saved in the store lately: a list since a day, and steps that can be undone.

import { changeWords, without } from './studio-edits.js';
import { listOf, open } from './studio-save.js';
import { getSaves } from './studio-wire.js';
import { clockText, clockWords, instantOf } from './studio-zone.js';

/** @typedef {import('./studio-wire.js').Save} Save */

const DAY = 86400000;
/** The most changes of one save to list. */
const MOST_LISTED = 200;

/** A save in a few words. @param {Save} save */
const saveWords = (app, save) => `the save of ${clockWords(save.time, app.scene.zone)}`;

/** Makes the saves of the store undoable, also those of an earlier page and of other people. */
export const recallSaves = async (app) => {
  if (isSent || !app.scene.canSave) return;
  app.edits.recall((await getSaves()).map((save) => ({ words: saveWords(app, save), changes: save.changes })));
};

/** A change with the title that the story has now. */
const wordsOf = (app, { id, before, after }) => {
  const title = after?.title || before?.title || app.titleOf(id);
  return changeWords(
    before && { ...before, title: before.title || title },
    after && { ...after, title: after.title || title },
  );
};

/** Lists what was saved since a day, and what is not saved yet. */
export const openHistory = async (app, hooks) => {
  const { zone } = app.scene, label = element('label', 'Since '), day = element('input'), list = element('div');
  let saves = [];
  try {
    if (app.scene.canSave) saves = (await getSaves()).reverse();
  } catch (error) {
    return hooks.notify(error.message);
  }
  /** Undoes a save in one step, which is not saved itself. */
  const undo = (save) => {
    const { edits } = app;
    edits.change(
      `Undo ${saveWords(app, save)}`,
      save.changes.map((change) => ({ id: change.id, after: without(change, edits.places.get(change.id) ?? null) })),
    );
    $('dialog').close();
  };
  const showSave = (save) => {
    const part = element('section'),
      head = element('h3', clockWords(save.time, zone)),
      button = element('button', 'Undo');
    const words = save.changes.slice(0, MOST_LISTED).map((change) => wordsOf(app, change));
    if (save.number > words.length) words.push(`${count(save.number - words.length)} more`);
    button.type = 'button';
    button.disabled = !save.changes.length;
    button.setAttribute('aria-label', `Undo ${saveWords(app, save)}`);
    button.addEventListener('click', () => undo(save));
    head.append(' ', button);
    part.append(head, listOf(words));
    return part;
  };
  const show = () => {
    const since = instantOf(day.value, zone) ?? -Infinity, shown = saves.filter((save) => save.time >= since);
    const unsaved = Object.entries(app.edits.changes()).map(([id, after]) =>
      changeWords(app.edits.base.get(id) ?? null, after)
    );
    const parts = shown.map(showSave);
    if (unsaved.length) {
      const part = element('section');
      part.append(element('h3', 'Not saved yet'), listOf(unsaved.slice(0, MOST_LISTED)));
      parts.unshift(part);
    }
    list.replaceChildren(...parts.length ? parts : [element('p', 'Nobody has changed a story since then.')]);
  };
  day.type = 'date';
  day.id = 'since';
  day.value = clockText(Date.now() - DAY, zone).slice(0, 10);
  day.addEventListener('change', show);
  label.append(day);
  show();
  list.className = 'scroll saves';
  open('Changes to the stories', [label, list, element('p', 'Imports are not listed.', 'dim')], [['Close']]);
};
