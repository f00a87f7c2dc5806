// Saving and exporting. Saving first lists the changes and asks.

import { addressOf } from './studio-address.js';
import { clashesIn, clashTable } from './studio-clash.js';
import { changeWords } from './studio-edits.js';
import { distanceWords } from './studio-units.js';
import { asOwn } from './studio-link.js';
import { sessionOf } from './studio-session.js';
import { postExport, postPage, postSave } from './studio-wire.js';

const dialog = () => $('dialog');

/**
 * Opens the dialog with a heading, contents, and buttons `[words, action, id]`. The first button
 * cancels, as Escape does.
 */
export const open = (heading, contents, buttons) => {
  const head = element('h2', heading), row = element('div', undefined, 'actions');
  dialog().oncancel = () => {
    buttons[0][1]?.();
  };
  head.id = 'dialog-head';
  for (const [words, action, id] of buttons) {
    const button = element('button', words);
    button.type = 'button';
    if (id) button.id = id;
    button.addEventListener('click', async () => {
      if (await action?.() !== false) dialog().close();
    });
    row.append(button);
  }
  dialog().replaceChildren(head, ...contents, row);
  if (!dialog().open) dialog().showModal();
};
export const listOf = (items) => {
  const list = element('ul', undefined, 'plain scroll');
  list.append(...items.map((words) => element('li', words)));
  return list;
};

const knownOf = (app) =>
  Object.fromEntries(
    Object.keys(app.edits.changes())
      .map((id) => [id, app.edits.base.get(id) ?? null]),
  );

/** Takes back the last step. A save that this page did not make may be somebody else's, so that it asks first. */
export const undo = (app) => {
  const { edits } = app, step = edits.next;
  if (!step?.isSave) return edits.undo();
  open('Undo a save?', [
    element('p', `This would undo ${step.words}, which this page did not make. It may be somebody else’s work.`),
    element('p', 'Nothing is written before you save.', 'dim'),
  ], [
    ['Cancel'],
    ['Undo the save', () => {
      edits.undo();
    }, 'undo-save'],
  ]);
};

/** Asks whether to make a circle that large, then calls `take` or `leave`. */
export const askRadius = (title, before, wanted, take, leave) =>
  open('Make the circle this large?', [
    element('p', `${title}: radius ${count(before)} m → ${count(wanted)} m.`),
    element('p', `Readers would get this alert up to ${distanceWords(wanted)} away from the story.`),
  ], [
    [`Keep ${count(before)} m`, leave, 'keep-radius'],
    [`Use ${count(wanted)} m`, take, 'use-radius'],
  ]);

/** Writes the changes. Asks first if somebody else has changed the same field of a story. */
const write = async (app, hooks) => {
  const sent = new Map(app.edits.places);
  try {
    const answer = await asOwn(
      'stories',
      () => postSave({ ...app.question(), known: knownOf(app) }),
      (one) => !one.conflicts?.length,
    );
    if (answer.conflicts?.length) return await merge(app, hooks, answer.conflicts);
    app.edits.rebase(answer.stories, sent);
    hooks.saved(answer.written);
    return true;
  } catch (error) {
    open('Not saved', [element('p', error.message, 'bad')], [['Close']]);
    return false;
  }
};

/** Merges the changes of others and writes again. Asks first if both sides changed the same field. */
const merge = async (app, hooks, conflicts) => {
  const goOn = async (takesTheirs) => {
    try {
      await hooks.merge(takesTheirs);
    } catch (error) {
      open('Not saved', [element('p', error.message, 'bad')], [['Close']]);
      return false;
    }
    return write(app, hooks);
  };
  const clashes = clashesIn(app, conflicts);
  if (!clashes.length) return goOn(() => false);
  const { contents, all, takesTheirs } = clashTable(app, clashes, (isComplete) => {
    $('save-merged').disabled = !isComplete;
  });
  open('Somebody else has changed the same fields', contents, [
    ['Cancel'],
    ['All theirs', () => {
      all('theirs');
      return false;
    }, 'take-theirs'],
    ['All yours', () => {
      all('yours');
      return false;
    }, 'overwrite'],
    ['Save', () => goOn(takesTheirs), 'save-merged'],
  ]);
  $('save-merged').disabled = true;
  return false;
};

/** Lists the changes and offers to write them. */
export const openSave = (app, hooks) => {
  const changes = Object.entries(app.edits.changes());
  if (!app.scene.canSave) {
    return open('Cannot save', [
      element('p', 'The stories come from a file, not from a store. To keep your changes, export the stories.'),
    ], [['Close'], ['Export…', () => {
      setTimeout(() => openExport(app));
    }]]);
  }
  if (!changes.length) return open('Nothing to save', [element('p', 'You have not changed any story.')], [['Close']]);
  const words = changes.map(([id, after]) => changeWords(app.edits.base.get(id) ?? null, after));
  open('Save to the store', [
    element('p', `${count(changes.length)} ${changes.length === 1 ? 'change' : 'changes'} to ${app.scene.store}:`),
    listOf(words),
  ], [['Cancel'], ['Save', () => write(app, hooks), 'save-now']]);
};

/** Asks what a page to send leaves out, and downloads it. */
const openPage = (app) => {
  const choice = (id, words, options) => {
    const label = element('label', words), select = element('select');
    select.id = id;
    for (const [value, text] of options) {
      const option = element('option', text);
      option.value = String(value);
      select.append(option);
    }
    label.append(' ', select);
    const row = element('p');
    row.append(label);
    return [row, () => Number(select.value)];
  };
  const [ends, meters] = choice('hide-ends', 'Leave out around each walk’s start and end', [
    [0, 'nothing'],
    [100, '100 m'],
    [200, '200 m'],
    [500, '500 m'],
    [1000, '1 km'],
  ]);
  const [clock, minutes] = choice('round-clock', 'Let each walk start at a full', [
    [0, 'second, as recorded'],
    [1, 'minute'],
    [15, 'quarter of an hour'],
    [60, 'hour'],
    [1440, 'day'],
  ]);
  const write = async () => {
    const privacy = { endsMeters: meters(), clockMilliseconds: minutes() * 60000 };
    const isWhole = privacy.endsMeters === 0 && privacy.clockMilliseconds === 0;
    // A hidden place or time must not come back as the place or time that the page opens with.
    const view = isWhole ? addressOf(app) : app.chosen ? '#' + new URLSearchParams({ story: app.chosen }) : '';
    const button = $('page-now');
    button.disabled = true;
    button.textContent = 'Working…';
    try {
      download('walk.html', 'text/html', await postPage({ ...app.question(), privacy, view }));
    } catch (error) {
      open('Not written', [element('p', error.message, 'bad')], [['Close']]);
      return false;
    }
    return true;
  };
  open('One page to send', [
    element(
      'p',
      'A file that opens by double click, without a server or a network. It shows the walks, stories and rules ' +
        'as they are here. Whoever has it sees the walks, plays them, and tries changes of their own.',
    ),
    ends,
    clock,
    element('p', 'For other people’s walks, leave out where they start and end.', 'dim'),
  ], [
    ['Cancel'],
    ['Write the page', write, 'page-now'],
  ]);
};

/** Offers the stories and the session as files, the rules as a command, and the view as a link. */
export const openExport = (app) => {
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
  const line = (name, words) => ['fencepost', name, app.scene.arguments, words].filter((one) => one).join(' ');
  const number = Object.keys(app.edits.changes()).length;
  const unsaved = `The commands read ${app.scene.store} without your ${count(number)} unsaved ` +
    `${
      number === 1 ? 'change' : 'changes'
    }, so their numbers differ. Save first, or export the stories and run the commands on that file.`;
  open('Export', [
    element('p', 'Files contain your changes, saved or not.'),
    copyable('command', 'Rules as a command', line('replay', app.command)),
    ...number ? [element('p', unsaved, 'bad')] : [],
    ...app.chanceCommand
      ? [copyable('chance-command', 'Chances as a command', line('analyze', app.chanceCommand))]
      : [],
    copyable('address', 'Link to this view', location.origin + location.pathname + addressOf(app)),
  ], [
    ['Close'],
    ['One page to send…', () => {
      setTimeout(() => openPage(app));
    }, 'export-page'],
    ['Session', () => {
      download('studio-session.json', 'application/json', sessionOf(app));
      return false;
    }, 'export-session'],
    ['Stories as CSV', () => export_('csv', 'stories.csv', 'text/csv'), 'export-csv'],
    ['Stories as GeoJSON', () => export_('geojson', 'stories.geojson', 'application/geo+json'), 'export-geojson'],
  ]);
};
