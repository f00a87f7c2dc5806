// The stories of the table's page by reader and day.

/** How many columns a window shows. */
const MOST_DAYS = 40;

/** The day of a moment in the zone of the analysis, such as 2026-03-04; empty without a time. */
const dayOf = (() => {
  const known = new Map();
  return (seconds) => {
    if (seconds === null) return '';
    // In every zone, days begin on a quarter of an hour.
    const quarter = Math.floor(seconds / 900);
    if (!known.has(quarter)) known.set(quarter, clock(seconds).slice(0, 10));
    return known.get(quarter);
  };
})();

const openGrid = () => {
  const box = $('stories-days'), table = box.querySelector('table');
  let columns = null, first = 0, shown = [];

  /** The readers, or the walks without one, each with the days on which something happened. */
  const columnsOf = () => {
    const found = new Map();
    for (const track of tracks) {
      const reader = track.person ?? track.label, days = new Set(track.moments.map((one) => dayOf(one.seconds)));
      if ([...track.shares.values()].some((share) => share >= NEVER)) days.add(dayOf(track.first));
      for (const day of days.size ? days : ['']) found.set(`${reader}\n${day}`, { reader, day });
    }
    return [...found].map(([key, one]) => ({ key, ...one }))
      .sort((a, b) => a.reader < b.reader ? -1 : a.reader > b.reader ? 1 : a.day < b.day ? -1 : 1);
  };
  const cellsOf = (story) => {
    const cells = new Map();
    const cellAt = (number, seconds) => {
      const track = tracks[number],
        key = `${track.person ?? track.label}\n${dayOf(seconds)}`,
        share = shareOn(story.index, number);
      if (!cells.has(key)) cells.set(key, { counts: undefined, share });
      const cell = cells.get(key);
      // A reader with several walks on a day: that on which most phones alert.
      if (share !== null) cell.share = Math.max(cell.share ?? 0, share);
      return cell;
    };
    for (const moment of story.moments) {
      const cell = cellAt(moment.track, moment.seconds);
      cell.counts ??= [0, 0, 0, 0];
      cell.counts[KINDS.indexOf(moment.kind)] += moment.times;
    }
    // A phone may alert where a walk enters nothing: on the day when the walk began.
    const entered = new Set(story.moments.map((moment) => moment.track));
    for (const track of tracks) {
      if (!entered.has(track.index) && track.shares.get(story.index) >= NEVER) cellAt(track.index, track.first);
    }
    return cells;
  };
  const rowOf = (story, part) => {
    const row = element('tr'),
      head = element('th'),
      name = element('button', story.title, 'link'),
      cells = cellsOf(story);
    name.type = 'button';
    name.dir = 'auto';
    name.addEventListener('click', () => choose({ kind: 'story', index: story.index }, true));
    head.scope = 'row';
    head.append(name);
    row.dataset.index = story.index;
    storyTable.mark(row, story.index === storyTable.chosen);
    row.append(
      head,
      ...part.map(({ key, reader, day }) =>
        fillDay(
          element('td', undefined, 'day-cell'),
          cells.get(key)?.counts,
          cells.get(key)?.share ?? null,
          phones.length > 0,
          `${reader}, ${day}`,
        )
      ),
    );
    return row;
  };
  const draw = () => {
    if (box.hidden) return;
    columns ??= (() => {
      // A reader's day on which nothing happens has no column.
      const used = new Set(stories.flatMap((story) => [...cellsOf(story).keys()]));
      return columnsOf().filter((one) => used.has(one.key));
    })();
    first = Math.max(0, Math.min(first, columns.length - MOST_DAYS));
    const part = columns.slice(first, first + MOST_DAYS), heads = element('tr');
    heads.append(...[{ reader: 'Story', day: '' }, ...part].map(({ reader, day }, number) => {
      const head = element('th', number ? undefined : reader, number ? 'day' : 'name left');
      head.scope = 'col';
      if (number) head.append(element('span', cut(reader, 24)), ' ', element('span', day, 'dim'));
      return head;
    }));
    table.tHead.replaceChildren(heads);
    table.tBodies[0].replaceChildren(...shown.map((story) => rowOf(story, part)));
    $('days-pager').hidden = columns.length <= MOST_DAYS;
    $('days-range').textContent = `Columns ${count(first + 1)} to ${count(first + part.length)} of ${
      count(columns.length)
    }`;
    $('days-back').disabled = first === 0;
    $('days-next').disabled = first + MOST_DAYS >= columns.length;
  };
  for (const [id, direction] of [['days-back', -1], ['days-next', 1]]) {
    $(id).addEventListener('click', () => {
      first += direction * MOST_DAYS;
      draw();
    });
  }
  for (const id of ['as-list', 'as-days']) {
    $(id).addEventListener('click', () => {
      const isList = id === 'as-list';
      $('as-list').setAttribute('aria-pressed', String(isList));
      $('as-days').setAttribute('aria-pressed', String(!isList));
      $('stories').closest('.scroll').hidden = !isList;
      box.hidden = isList;
      draw();
    });
  }
  storyTable.onShow = (rows) => {
    shown = rows;
    draw();
  };
  storyTable.show();
  onChoice.push(() => {
    for (const row of table.tBodies[0].rows) storyTable.mark(row, Number(row.dataset.index) === storyTable.chosen);
  });
};
