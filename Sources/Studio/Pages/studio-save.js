// Saving and exporting: nothing is written before it has been listed and agreed to.

import { changeWords } from './studio-edits.js';
import { addressOf } from './studio-address.js';
import { sessionOf } from './studio-session.js';
import { postExport, postSave } from './studio-wire.js';

const dialog = () => $('dialog');

/** Opens the dialog with a heading, its contents, and buttons `[words, action]`; the first is the way out. */
const open = (heading, contents, buttons) => {
  const head = element('h2', heading), row = element('div', undefined, 'actions');
  head.id = 'dialog-head';
  for (const [words, action, id] of buttons) {
    const button = element('button', words);
    button.type = 'button';
    if (id) button.id = id;
    button.addEventListener('click', async () => { if (await action?.() !== false) dialog().close(); });
    row.append(button);
  }
  dialog().replaceChildren(head, ...contents, row);
  if (!dialog().open) dialog().showModal();
};
const listOf = items => {
  const list = element('ul', undefined, 'plain scroll');
  list.append(...items.map(words => element('li', words)));
  return list;
};

const knownOf = app => Object.fromEntries(Object.keys(app.edits.changes())
  .map(id => [id, app.edits.base.get(id) ?? null]));

/** Writes the changes; shows both sides where somebody else has changed the same stories. */
const write = async (app, hooks, overwrites) => {
  try {
    const answer = await postSave({ ...app.question(), known: knownOf(app), overwrites });
    if (answer.conflicts?.length) return showConflicts(app, hooks, answer.conflicts);
    const before = app.edits.base;
    app.edits.rebase(answer.stories);
    hooks.saved(answer.written, before);
    return true;
  } catch (error) {
    open('Not saved', [element('p', error.message, 'bad')], [['Close']]);
    return false;
  }
};

const side = place => place ? `${place.title || place.id}: ${place.lat}, ${place.lon}, ${place.radius} m` : 'removed';

const showConflicts = (app, hooks, conflicts) => {
  const table = element('table'), body = element('tbody'), head = element('tr');
  for (const words of ['Story', 'In the store now', 'Here']) {
    const cell = element('th', words);
    cell.scope = 'col';
    head.append(cell);
  }
  for (const { id, stored } of conflicts) {
    const row = element('tr');
    row.append(element('td', id), element('td', side(stored)), element('td', side(app.edits.places.get(id) ?? null)));
    body.append(row);
  }
  const top = element('thead');
  top.append(head);
  table.append(top, body);
  open('Somebody else has changed the store', [
    element('p', 'Nothing was written. These stories differ from what this page began with.'), table], [
    ['Cancel'],
    ['Take theirs', () => { hooks.takeTheirs(conflicts); }, 'take-theirs'],
    ['Overwrite with mine', async () => { await write(app, hooks, true); }, 'overwrite']]);
  return false;
};

/** Lists the changes and offers to write them. */
export const openSave = (app, hooks) => {
  const changes = Object.entries(app.edits.changes());
  if (!app.scene.canSave) {
    return open('Saving', [element('p', 'The stories came from a file, not from a store. Export writes them anew.')],
      [['Close'], ['Export…', () => { setTimeout(() => openExport(app)); }]]);
  }
  if (!changes.length) return open('Saving', [element('p', 'No story has been changed.')], [['Close']]);
  const words = changes.map(([id, after]) => changeWords(app.edits.base.get(id) ?? null, after));
  open('Save to the store', [
    element('p', `${count(changes.length)} ${changes.length === 1 ? 'change' : 'changes'} in one transaction, to ${app.scene.store}:`),
    listOf(words)], [['Cancel'], ['Save', () => write(app, hooks, false), 'save-now']]);
};

const download = (name, type, text) => {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

/** Offers the stories as files, the rules as a command, and the view as a link. */
export const openExport = app => {
  const export_ = async (form, name, type) => {
    try {
      download(name, type, await postExport({ ...app.question(), form }));
    } catch (error) {
      open('Not exported', [element('p', error.message, 'bad')], [['Close']]);
    }
    return false;
  };
  const copyable = (id, words, value) => {
    const label = element('label', words), field = element('textarea', undefined, 'copy');
    field.id = id;
    field.readOnly = true;
    field.rows = 3;
    field.value = value;
    field.addEventListener('focus', () => field.select());
    label.append(field);
    return label;
  };
  const line = (name, words) => ['fencepost', name, app.scene.arguments, words].filter(one => one).join(' ');
  open('Export', [
    element('p', 'The stories as they are here, saved or not:'),
    copyable('command', 'The rules as a command', line('replay', app.command)),
    ...app.chanceCommand ? [copyable('chance-command', 'The chances as a command', line('analyze', app.chanceCommand))] : [],
    copyable('address', 'This view', location.origin + location.pathname + addressOf(app)),
  ], [['Close'],
    ['Session', () => { download('studio-session.json', 'application/json', sessionOf(app)); return false; }, 'export-session'],
    ['Stories as CSV', () => export_('csv', 'stories.csv', 'text/csv'), 'export-csv'],
    ['Stories as GeoJSON', () => export_('geojson', 'stories.geojson', 'application/geo+json'), 'export-geojson']]);
};
