// The grid of stories, walks and days: a cell for each story on each day of each walk.

import { RowList } from './studio-rows.js';
import { getCells } from './studio-wire.js';

const DAY = 86400000, TALL = 1.75;
/** The width of the story's name and of a column, in units of the text size. */
const NAME = 11, COLUMN = 2.4;

const dayWords = (day) =>
  day < 0 ? 'no date' : new Date(day * DAY).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });

/** Who recorded a walk, by its name: the folder in which it is, or else the file's name. */
const readerOf = (name) => name.includes('/') ? name.split('/')[0] : name.replace(/\.[a-z0-9.]+$/i, '');

/**
 * Sets up the grid.
 *
 * @param app What the page shows; see `studio.js`.
 * @param {{mark: Function, nameButton: Function, hooks: object}} parts How the table makes rows.
 */
export const openGrid = (app, { mark, nameButton, hooks }) => {
  const box = $('grid'), head = box.querySelector('.head');
  let columns = [], cells = new Map(), first = 0, rows = [], fits = 1, asked = -1;

  /** Reads the cells, by story and column. */
  const read = (json) => {
    const byColumn = new Map();
    cells = new Map();
    for (let at = 0; at < json.cells.length; at += 8) {
      const [story, track, day, ...counts] = json.cells.slice(at, at + 8);
      const key = `${track} ${day}`, id = json.stories[story];
      byColumn.set(key, { track, day });
      if (!cells.has(id)) cells.set(id, new Map());
      cells.get(id).set(key, counts);
    }
    // The days of a reader stand side by side; a walk on which nothing happens has no column.
    const reader = ({ track }) => readerOf(app.shortNames[track]);
    columns = [...byColumn].map(([key, one]) => ({ key, ...one })).sort((a, b) =>
      reader(a).localeCompare(reader(b)) || a.day - b.day || a.track - b.track
    );
  };
  const cellOf = (counts, column) => {
    const cell = element('div', undefined, 'grid-cell'), chance = counts?.[4] ?? -1;
    cell.setAttribute('role', 'cell');
    if (counts) cell.dataset.track = String(column.track);
    return fillDay(
      cell,
      counts?.slice(0, 4),
      chance < 0 ? null : chance / 1000,
      app.chances.hasPhone,
      `${app.shortNames[column.track]}, ${dayWords(column.day)}`,
    );
  };
  const makeRow = (row) => {
    const made = element('div', undefined, 'grid-row'),
      name = element('div', undefined, 'name'),
      own = cells.get(row.id);
    name.setAttribute('role', 'rowheader');
    name.append(nameButton(row));
    made.append(name, ...columns.slice(first, first + fits).map((column) => cellOf(own?.get(column.key), column)));
    made.addEventListener('click', (event) => {
      const cell = event.target.closest('[data-track]');
      if (cell) hooks.openWalk(Number(cell.dataset.track)).then(() => hooks.choose(row.id, true, true));
    });
    return mark(made, row);
  };
  const list = new RowList(box.querySelector('.row-box'), TALL, makeRow);

  const showHead = () => {
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
    fits = Math.max(1, Math.floor((box.clientWidth / size - NAME - 1) / COLUMN));
    first = Math.max(0, Math.min(first, columns.length - fits));
    const made = [
      element('div', 'Story', 'name'),
      ...columns.slice(first, first + fits).map((column) => {
        const cell = element('div', undefined, 'day'),
          name = element('span', cut(readerOf(app.shortNames[column.track]), 16));
        cell.append(name, element('span', dayWords(column.day).replace(/ \d{4}$/, ''), 'dim'));
        cell.title = `${app.scene.tracks[column.track].name}, ${dayWords(column.day)}`;
        return cell;
      }),
    ];
    for (const one of made) one.setAttribute('role', 'columnheader');
    head.replaceChildren(...made);
    const empty = app.scene.tracks.length - new Set(columns.map((one) => one.track)).size;
    $('grid-empty').textContent = empty
      ? `${count(empty)} ${empty === 1 ? 'walk' : 'walks'} without an entry ${empty === 1 ? 'is' : 'are'} left out.`
      : '';
    $('grid-range').textContent = columns.length > fits
      ? `Columns ${count(first + 1)} to ${count(Math.min(columns.length, first + fits))} of ${count(columns.length)}`
      : '';
    $('grid-pager').hidden = columns.length <= fits;
    $('grid-back').disabled = first === 0;
    $('grid-next').disabled = first + fits >= columns.length;
  };
  const draw = (number) => {
    showHead();
    list.show(rows, number);
  };
  for (const [id, direction] of [['grid-back', -1], ['grid-next', 1]]) {
    $(id).addEventListener('click', () => {
      first += direction * fits;
      draw();
    });
  }
  new ResizeObserver(() => {
    if (!box.hidden) draw();
  }).observe(box);

  return {
    list,
    /** The results have changed. */
    forget: () => {
      asked = -1;
    },
    /** Shows the grid with the table's rows. */
    show: async (shown, number) => {
      rows = shown;
      draw(number);
      const mine = app.question().number;
      if (asked === mine) return;
      asked = mine;
      try {
        read(await getCells());
        draw(number);
        document.body.dataset.grid = String(mine);
      } catch (error) {
        asked = -1;
        hooks.notify(error.message);
      }
    },
  };
};
