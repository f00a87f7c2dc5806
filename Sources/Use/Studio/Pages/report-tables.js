// The tables of stories and walks.

/** The columns of numbers in which the least comes first. */
const RISING = new Set(['importance', 'order']);

/**
 * A table that sorts, searches and has pages; only the rows of the current page are built.
 *
 * A column is a function of a row. Columns whose head has the class `low` are hidden on narrow
 * screens.
 */
class Table {
  constructor(id, rows, columns, order, filters, onChoose) {
    Object.assign(this, { id, rows, columns, filters, onChoose, page: 0, size: 25 });
    this.key = order;
    this.down = !RISING.has(order);
    this.chosen = -1;
    this.body = $(id).tBodies[0];
    this.heads = [...$(id).tHead.rows[0].cells];
    this.dropEmptyColumns();
    for (const button of $(id).querySelectorAll('th button')) {
      button.addEventListener('click', () => this.sortBy(button.dataset.key));
    }
    $(id + '-search').addEventListener('input', () => {
      this.page = 0;
      this.show();
    });
    const filter = $(id + '-filter');
    if (filter) {
      filter.addEventListener('change', () => {
        this.page = 0;
        this.show();
      });
    }
    $(id + '-back').addEventListener('click', () => {
      this.page--;
      this.show();
    });
    $(id + '-next').addEventListener('click', () => {
      this.page++;
      this.show();
    });
    // Paper has no next page.
    const size = this.size;
    addEventListener('beforeprint', () => {
      this.size = 150;
      this.show();
    });
    addEventListener('afterprint', () => {
      this.size = size;
      this.show();
    });
    this.show();
  }

  /** Hides the columns of class `optional` in which no row has a value. */
  dropEmptyColumns() {
    const isEmpty = (value) => !(value instanceof Node) && (value === '–' || value === '0' || value === '');
    this.heads.forEach((head, at) => {
      if (!head.classList.contains('optional')) return;
      const column = this.columns[at];
      head.hidden = !this.rows.some((row) => !isEmpty(column(row)));
    });
  }

  sortBy(key) {
    const isText = typeof this.rows[0]?.[key] === 'string';
    this.down = this.key === key ? !this.down : !isText && !RISING.has(key);
    this.key = key;
    this.page = 0;
    this.show();
  }

  found() {
    const filter = $(this.id + '-filter');
    return orderedRows(
      this.rows,
      $(this.id + '-search').value,
      filter ? this.filters[filter.value] : () => true,
      this.key,
      this.down,
    );
  }

  show() {
    const rows = this.found(), pages = Math.max(1, Math.ceil(rows.length / this.size));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const first = this.page * this.size, shown = rows.slice(first, first + this.size);
    this.body.replaceChildren(...shown.map((row) => this.row(row)));
    this.onShow?.(shown);
    $(this.id + '-range').textContent = rows.length
      ? `${count(first + 1)}–${count(first + shown.length)} of ${count(rows.length)}` +
        (rows.length < this.rows.length ? ` (${count(this.rows.length)} in all)` : '')
      : 'Nothing found';
    $(this.id + '-back').disabled = this.page === 0;
    $(this.id + '-next').disabled = this.page >= pages - 1;
    for (const head of this.heads) {
      const key = head.querySelector('button')?.dataset.key;
      if (key === this.key) head.setAttribute('aria-sort', this.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
  }

  row(row) {
    const made = element('tr');
    made.dataset.index = row.index;
    this.mark(made, row.index === this.chosen);
    this.columns.forEach((column, at) => {
      const value = column(row), cell = element('td'), head = this.heads[at];
      cell.className = [...head.classList].join(' ');
      cell.hidden = head.hidden;
      if (at === 0) {
        const link = element('button', value, 'link');
        link.type = 'button';
        link.dir = 'auto';
        link.addEventListener('click', () => this.onChoose(row.index));
        cell.append(link);
      } else if (value instanceof Node) cell.append(value);
      else cell.textContent = value;
      made.append(cell);
    });
    return made;
  }

  /** Marks a row. The rows are kept, and with them the keyboard's focus. */
  choose(index) {
    this.chosen = index;
    for (const row of this.body.rows) this.mark(row, Number(row.dataset.index) === index);
  }

  mark(row, isChosen) {
    row.classList.toggle('chosen', isChosen);
    if (isChosen) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

const colored = (value, name) => value ? element('span', count(value), name) : '0';
const rule = {
  hasPhone: phones.length > 0,
  limit: data.settings?.limit ?? null,
  isAdaptive: data.settings?.refresh === 'adaptive',
  meters: (value) => distance(value * 1000),
};
/** What the words of a row depend on; `verdict` is also the map's label of a circle. */
const fateOfRow = (one) => ({
  ...one,
  nearest: one.nearest == null ? null : one.nearest / 1000,
  late: one.entries ? one.late : 0,
  missed: one.entries ? one.missed : 0,
  isSwapped: data.swapped?.includes(one.index) ?? false,
  chance: phones.length ? one.phone0 : null,
  loss: one.odds[0]?.[4] ?? '',
});
const verdict = (one) => whyWords(fateOfRow(one), rule);
/** The walks on which a story alerts, as a perfect phone; without a simulated one with the bar of the story. */
const walksOf = (one) => {
  const cell = element('span', undefined, 'bar-cell'),
    words = element('span', count(one.alerted), one.alerted ? 'good' : '');
  words.append(element('span', ` of ${count(tracks.length)}`, 'dim'));
  cell.append(
    ...phones.length ? [] : [shareBar(one.alerted / Math.max(1, tracks.length), SHARE_OF_FATE[one.fate])],
    words,
  );
  return cell;
};
const refused = (one) => one.rejected ? `${count(one.rejected)}: ${one.reasons}` : '0';
const onPhone = (index) => (one) => {
  const share = one['phone' + index], cell = element('span', undefined, 'bar-cell');
  // The first phone's is the bar of the story.
  cell.append(...index ? [] : [shareBar(share)], element('span', shareWords(share)));
  if (one.odds[index]?.[1]) cell.append(element('span', ' too small', 'dim'));
  return cell;
};
/** The alerts that phones show. */
const meanOn = (index) => (one) => Number.isFinite(one['mean' + index]) ? meanWords(one['mean' + index]) : '–';
/** Puts a column for each phone before another one. */
const addPhoneColumns = (before, keys) =>
  phones.forEach((phone, index) => {
    for (const [key, words] of keys) {
      const head = element('th'), button = element('button', words(phone));
      head.scope = 'col';
      head.className = `phone${index ? ' low' : ''}`;
      button.type = 'button';
      button.dataset.key = key + index;
      head.append(button);
      before.before(head);
    }
  });

let storyTable, trackTable;

/** Whether a story never alerts; with a phone, whether fewer than half of the phones alert. */
const isQuiet = (one) => phones.length ? !(one.phone0 >= MOST_PHONES) : one.alerted === 0;
const hasReaders = tracks.some((one) => one.person !== undefined);
for (const one of stories) {
  one.fate = phones.length
    ? fateOnPhone(one.phone0, one.odds[0]?.[6] === 1, one.suppressed)
    : fateWithoutPhone(one.alerts, one.suppressed, one.lost);
  one.order = FATE_ORDER.indexOf(one.fate);
  one.importance = importanceOf(one.priority, one.fate);
}

/** Builds the tables. `onChoose` receives the kind and the index of a chosen row. */
const makeTables = (onChoose) => {
  addPhoneColumns($('stories').querySelector('[data-key=met]').closest('th'), [
    ['phone', (phone) => `On ${phone.name}`],
    ['mean', () => 'Alerts'],
  ]);
  addPhoneColumns($('tracks').querySelector('[data-key=entries]').closest('th'), [[
    'mean',
    (phone) => `Alerts on ${phone.name}`,
  ]]);
  // With a phone, its chance is the result, and all numbers of a perfect phone fold away; else those behind a story's bar.
  if (!phones.length) $('perfect-columns').nextSibling.textContent = ' All numbers';
  $('stories').classList.toggle('plain', !phones.length);
  const fold = (isFolded) => {
    for (const id of phones.length ? ['stories', 'tracks'] : ['stories']) $(id).classList.toggle('folded', isFolded);
  };
  fold(true);
  $('perfect-columns').addEventListener('change', (event) => fold(!event.target.checked));
  storyTable = new Table(
    'stories',
    stories,
    [
      (s) => s.title,
      (s) => s.category || '–',
      (s) => String(s.priority),
      ...phones.flatMap((_, index) => [onPhone(index), meanOn(index)]),
      (s) => count(s.met),
      walksOf,
      (s) => hasReaders ? count(s.persons) : '0',
      (s) => count(s.suppressed),
      (s) => colored(s.late, 'warn'),
      (s) => colored(s.missed, 'bad'),
      (s) => count(s.alerts),
      (s) => percent(s.found, s.oracle),
      (s) => s.miss === null ? '' : distance(s.miss),
      verdict,
    ],
    stories.some((one) => one.priority) ? 'importance' : 'order',
    {
      all: () => true,
      met: (s) => s.met > 0,
      lost: (s) => s.lost > 0,
      quiet: isQuiet,
      silent: (s) => s.met > 0 && isQuiet(s),
      never: (s) => s.met === 0,
    },
    (index) => onChoose({ kind: 'story', index }),
  );
  trackTable = new Table(
    'tracks',
    tracks,
    [
      (t) => t.label,
      (t) => t.km.toFixed(1),
      ...phones.map((_, index) => meanOn(index)),
      (t) => count(t.entries),
      (t) => colored(t.alerts, 'good'),
      (t) => count(t.suppressed),
      (t) => colored(t.late, 'warn'),
      (t) => colored(t.missed, 'bad'),
      (t) => percent(t.found, t.oracle),
      (t) => t.rate.toFixed(2),
      refused,
    ],
    'lost',
    null,
    (index) => onChoose({ kind: 'track', index }),
  );
  if (folder) $('tracks').caption.textContent += '. All walks are in ' + folder;
};
