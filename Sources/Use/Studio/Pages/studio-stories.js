// The panel of all stories: a table that can be searched, filtered and sorted, or a grid of days,
// and the chosen story in three sentences.

import { explain } from './studio-explain.js';
import { fateOf, fateRule, remedyChange } from './studio-fates.js';
import { openGrid } from './studio-grid.js';
import { RowList } from './studio-rows.js';
import { findRemedy, getCells, getHeadline, getNearest } from './studio-wire.js';

/** The fates that each choice of the filter shows. */
const FILTERS = {
  all: null,
  alerting: ['alerting', 'possible'],
  silent: ['held', 'lossy', 'untouched'],
  held: ['held'],
  lossy: ['lossy'],
  untouched: ['untouched'],
};
/** After this many milliseconds without another choice, the story is explained. */
const SETTLED = 200;
/** While results come faster than this, in milliseconds, the table waits for the last of them. */
const OFTEN = 200;
/** The height of a row, in units of the text size. */
const TALL = 2.25;

/**
 * Sets up the panel.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `choose(story, isShown, staysOnTab)`, `change(words, place, rules)`,
 *   `showMoment(walk, fix, fraction)`, `notify(sentence)`.
 */
export const openStories = (app, hooks) => {
  const panel = $('panel-stories'), table = $('stories'), search = $('stories-search'), filter = $('stories-filter');
  let key = 'importance',
    isDown = false,
    shown = [],
    askedAt = -1000,
    showTimer = 0,
    isOld = true,
    isGrid = false,
    position = new Map();
  const nearest = new Map(), texts = new WeakMap();
  /** The IDs of stories whose coordinates may be swapped. */
  let swapped = new Set();
  const textOf = (place) => {
    if (!texts.has(place)) texts.set(place, `${place.title ?? ''} ${place.id} ${place.category ?? ''}`.toLowerCase());
    return texts.get(place);
  };

  // ---- the rows

  /** When the walks of the shown scene begin: the first and the last of them; null if none has times. */
  let starts = null, startsOf = null;
  const startsNow = () => {
    if (startsOf !== app.scene.tracks) {
      startsOf = app.scene.tracks;
      const known = startsOf.map((track) => Date.parse(track.first)).filter(Number.isFinite).sort((a, b) => a - b);
      starts = known.length ? { first: known[0], last: known.at(-1) } : null;
    }
    return starts;
  };
  /** Whether a story's dates leave out all walks: `expired`, `not-published`, or empty. */
  const datesOf = (place) => {
    if (app.rules.dates !== 'recorded' || !place.expires && !place.published) return '';
    const began = startsNow();
    if (!began) return '';
    if (place.expires && Date.parse(place.expires) <= began.first) return 'expired';
    return place.published && Date.parse(place.published) > began.last ? 'not-published' : '';
  };
  const rowOf = (place, index) => {
    const result = app.results.get(place.id), near = nearest.get(place.id), odds = app.chances.odds(place.id);
    const row = {
      index,
      id: place.id,
      place,
      title: (place.title || place.id).toLowerCase(),
      text: textOf(place),
      priority: place.priority ?? 0,
      radius: place.radius,
      chance: app.chances.ofStory(place.id),
      loss: odds?.loss ?? '',
      alerts: result?.alerts ?? 0,
      suppressed: result?.suppressed ?? 0,
      late: result?.late ?? 0,
      missed: result?.missed ?? 0,
      tracks: result?.tracks ?? 0,
      reason: result?.reason ?? '',
      dates: datesOf(place),
      isSwapped: swapped.has(place.id),
      nearest: near?.meters ?? null,
      walk: result && result.track >= 0 ? result.track : Math.max(0, near?.track ?? app.number),
      fate: fateOf(app, place.id),
    };
    row.entries = row.alerts + row.suppressed + row.late + row.missed;
    row.miss = near ? near.meters - place.radius : Infinity;
    row.share = row.chance ?? -1;
    row.order = FATE_ORDER.indexOf(row.fate);
    row.importance = importanceOf(row.priority, row.fate);
    return row;
  };
  let rows = [], hasPriority = false;
  const renew = () => {
    rows = [...app.edits.places.values()].map(rowOf);
    hasPriority = rows.some((row) => row.priority);
    table.classList.toggle('with-priority', hasPriority);
    table.classList.toggle('with-phone', app.chances.hasPhone);
    isOld = false;
  };
  const cell = (text, className, role = 'cell') => {
    const made = element('div', text, className);
    made.setAttribute('role', role);
    return made;
  };
  const nameButton = (row) => {
    const button = element('button', app.titleOf(row.id), 'link');
    button.type = 'button';
    button.title = app.titleOf(row.id);
    button.dir = 'auto';
    button.addEventListener('click', () => {
      list.current = position.get(row.id) ?? 0;
      hooks.choose(row.id, true, true);
    });
    return button;
  };
  const mark = (made, row) => {
    made.classList.toggle('chosen', row.id === app.chosen);
    if (row.id === app.chosen) made.setAttribute('aria-current', 'true');
    made.dataset.story = row.id;
    return made;
  };
  /** The bar of a story and its number: on how many walks it alerts, or on a phone how likely. */
  const verdictCell = (row) => {
    const made = cell('', 'verdict'), of = app.scene.tracks.length;
    if (!of) return made;
    if (app.chances.hasPhone) {
      if (row.chance !== null) made.append(shareBar(row.chance), shareWords(row.chance));
      else made.append(shareBar(0), '–');
    } else made.append(shareBar(row.tracks / of, SHARE_OF_FATE[row.fate]), `${count(row.tracks)} of ${count(of)}`);
    return made;
  };
  const priorityCell = (row) => {
    const made = cell(String(row.priority), 'priority');
    made.title = 'Priority; smaller numbers matter more';
    return made;
  };
  const makeRow = (row) => {
    const made = element('div', undefined, `story-row ${row.fate}`), name = cell('', 'name'), why = cell('', 'why');
    name.append(nameButton(row));
    why.append(whyWords(row, fateRule(app)));
    made.append(name, ...hasPriority ? [priorityCell(row)] : [], verdictCell(row), why);
    return mark(made, row);
  };
  const list = new RowList(table.querySelector('.row-box'), TALL, makeRow);
  const grid = openGrid(app, { mark, nameButton, hooks });

  // ---- the table

  const heads = [...table.querySelectorAll('[role=columnheader]')];
  const showHeads = () => {
    const isPhone = app.chances.hasPhone, verdict = table.querySelector('.head .verdict button');
    verdict.textContent = isPhone ? `On ${app.rules.profile}` : 'Walks';
    verdict.title = isPhone
      ? 'The share of phones that alert, on the walk where most do'
      : 'The walks on which it alerts, as a perfect phone';
    verdict.dataset.key = isPhone ? 'share' : 'tracks';
    for (const head of heads) {
      const own = head.querySelector('button')?.dataset.key;
      if (own === key) head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
  };
  let headline = '';
  /** Shows what becomes of all stories, as the report and the terminal say it. */
  const showHeadline = async () => {
    const say = () => {
      const found = shown.length === rows.length ? '' : ` Showing ${count(shown.length)}.`;
      const text = app.scene.tracks.length ? headline + found : `${count(rows.length)} stories.${found}`;
      if ($('stories-summary').textContent !== text) $('stories-summary').textContent = text;
    };
    say();
    if (!app.scene.tracks.length) return;
    try {
      const found = await getHeadline();
      headline = found.words;
      say();
      if (String(found.swapped) === String([...swapped])) return;
      swapped = new Set(found.swapped);
      isOld = true;
      show();
    } catch (error) {
      hooks.notify(error.message);
    }
  };
  /**
   * Shows the rows, unless nothing changed or the panel is hidden. During a drag, making thousands of
   * rows again would stop the map.
   */
  const show = (isForced = false) => {
    clearTimeout(showTimer);
    if (panel.hidden || !isForced && !isOld) return;
    const isOften = performance.now() - askedAt < OFTEN;
    askedAt = performance.now();
    if (!isForced && isOften) {
      showTimer = setTimeout(show, OFTEN, true);
      return;
    }
    if (isOld) renew();
    showHeads();
    const fates = FILTERS[filter.value];
    shown = orderedRows(rows, search.value, (row) => !fates || fates.includes(row.fate), key, isDown);
    position = new Map(shown.map((row, number) => [row.id, number]));
    table.setAttribute('aria-rowcount', String(shown.length + 1));
    table.hidden = isGrid;
    $('grid').hidden = !isGrid;
    const number = position.get(app.chosen) ?? 0;
    if (isGrid) grid.show(shown, number);
    else list.show(shown, number);
    showHeadline();
    document.body.dataset.stories = String(shown.length);
  };
  for (const head of heads) {
    const button = head.querySelector('button');
    button?.addEventListener('click', () => {
      const next = button.dataset.key;
      // Names begin with A, numbers with the least: what needs care comes first.
      isDown = key === next && !isDown;
      key = next;
      show(true);
    });
  }
  search.addEventListener('input', () => show(true));
  filter.addEventListener('change', () => show(true));
  for (const id of ['as-list', 'as-grid']) {
    $(id).addEventListener('click', () => {
      isGrid = id === 'as-grid';
      $('as-list').setAttribute('aria-pressed', String(!isGrid));
      $('as-grid').setAttribute('aria-pressed', String(isGrid));
      show(true);
    });
  }

  // ---- the nearest walk

  let asked = '', nearTimer = 0, measuredTracks = -1;
  /** Asks how near the walks come to the stories: all of them once, then those that moved. */
  const measure = async () => {
    const { edits, scene } = app, changes = edits.changes();
    const moved = Object.fromEntries(Object.entries(changes).filter(([, place]) => place));
    const mine = JSON.stringify([scene.tracks.length, Object.values(moved).map(({ id, lat, lon }) => [id, lat, lon])]);
    if (mine === asked || !scene.tracks.length) return;
    asked = mine;
    const isFirst = measuredTracks !== scene.tracks.length;
    const read = async (wanted) => {
      const found = await getNearest({ ...app.question(), changes: wanted });
      const ids = Object.keys(wanted).length ? found.stories : scene.stories.map((one) => one.id);
      ids.forEach((id, at) => nearest.set(id, { meters: found.millimeters[at] / 1000, track: found.tracks[at] }));
    };
    try {
      // What moved back is where it was at the start.
      if (isFirst || !Object.keys(moved).length) await read({});
      measuredTracks = scene.tracks.length;
      if (Object.keys(moved).length) await read(moved);
      isOld = true;
      show();
    } catch (error) {
      asked = '';
      hooks.notify(error.message);
    }
  };

  // ---- the chosen story

  const box = $('chosen-story');
  let explained = '', timer = 0;
  const rowNamed = (id) => {
    const place = app.edits.places.get(id);
    return place ? rowOf(place, 0) : null;
  };
  const plainButton = (words, action) => {
    const button = element('button', words);
    button.type = 'button';
    button.addEventListener('click', action);
    return button;
  };
  const verdictOf = (row) =>
    row.chance !== null
      ? `On ${app.rules.profile}: ${shareWords(row.chance)} of phones alert.`
      : app.chances.hasPhone
      ? `On ${app.rules.profile}: simulating…`
      : `As a perfect phone: alerts on ${count(row.tracks)} of ${count(app.scene.tracks.length)} walks.`;
  /** With a phone, the walk on which most phones alert, because the story's share is that of it. */
  const bestWalk = async (row) => {
    if (row.chance === null) return row.walk;
    const { stories, cells } = await getCells().catch(() => ({ stories: [], cells: [] }));
    const story = stories.indexOf(row.id);
    let best = row.walk, most = 0;
    for (let at = 0; at < cells.length; at += 8) {
      if (cells[at] === story && cells[at + 7] > most) [best, most] = [cells[at + 1], cells[at + 7]];
    }
    return best;
  };
  const showChosen = () => {
    const row = app.chosen === null ? null : rowNamed(app.chosen);
    box.hidden = !row;
    if (!row || panel.hidden || !app.scene.tracks.length) return;
    // Chances arrive bit by bit, and the reasons need not be told again.
    const mine = JSON.stringify([row.id, row.place, row.walk, app.rules]);
    if (mine === explained) {
      box.querySelector('.verdict-line').textContent = verdictOf(row);
      return;
    }
    explained = mine;
    const head = element('h3', app.titleOf(row.id), 'story-name'), why = element('div', undefined, 'why-box');
    const none = element('p', 'No change of this story that was tried gains an alert.', 'dim');
    none.hidden = true;
    const actions = element('div', undefined, 'actions');
    head.dir = 'auto';
    const offer = (remedy) => {
      const change = remedyChange(app, row, remedy);
      actions.replaceChildren(
        ...change
          ? [plainButton(`${change.words}: ${change.gain}`, () => hooks.change(change.words, change.place))]
          : [],
        plainButton('Edit…', () => hooks.choose(row.id)),
      );
    };
    offer(null);
    box.replaceChildren(head, element('p', verdictOf(row), 'verdict-line'), why, none, actions);
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await explain(app, { id: row.id, walk: await bestWalk(row) }, why, hooks);
      if (explained !== mine) return;
      const remedy = await findRemedy(() => ({ ...app.question(), story: row.id }), () => explained === mine).catch(
        () => undefined,
      );
      if (explained !== mine) return;
      offer(remedy);
      // What alerts already needs no change.
      none.hidden = remedy !== null ||
        (app.chances.hasPhone ? app.chances.ofStory(row.id) >= MANY_PHONES : row.alerts > 0);
      // After a choice in the table, both are in view.
      if (table.contains(document.activeElement)) box.scrollIntoView({ block: 'nearest' });
    }, SETTLED);
  };

  return {
    /** Shows new results at the next frame that draws them. */
    forget: () => {
      isOld = true;
    },
    show: () => {
      show();
      showChosen();
    },
    /** Shows the panel after its tab was chosen. */
    open: () => {
      show(true);
      showChosen();
    },
    /** Lights up the chosen story. */
    choose: () => {
      const number = position.get(app.chosen) ?? -1, own = isGrid ? grid.list : list;
      if (number >= 0) own.reveal(number);
      else own.draw(true);
      showChosen();
    },
    /** Measures again once the page is up to date. */
    settle: () => {
      clearTimeout(nearTimer);
      nearTimer = setTimeout(measure, SETTLED);
    },
    /** The walk that shows best what becomes of a story. */
    walkOf: (id) => rowNamed(id)?.walk ?? app.number,
    rowOf: rowNamed,
    /** By how many meters the nearest walk missed a story, and which walk; null if a walk enters its circle. */
    missOf: (id) => {
      const row = rowNamed(id);
      return row && row.nearest !== null && row.miss > 0 && !row.entries ? { meters: row.miss, walk: row.walk } : null;
    },
    grid,
  };
};
