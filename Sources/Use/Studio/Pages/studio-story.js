// The panel of the chosen story: its fields, its removal, and why it alerted or not.

import { explain } from './studio-explain.js';
import { postExport } from './studio-wire.js';
import { clockText, instantOf, isoText, toldZone } from './studio-zone.js';

const FIELDS = [
  ['title', 'Title', 'text'],
  ['lat', 'Latitude', 'number'],
  ['lon', 'Longitude', 'number'],
  ['radius', 'Radius (m)', 'number'],
  ['priority', 'Priority (smaller matters more)', 'number'],
  ['category', 'Category', 'text'],
  ['url', 'Link', 'url'],
  ['blurb', 'Blurb', 'text'],
  ['published', 'Published', 'time'],
  ['expires', 'Expires', 'time'],
];
const BOUNDS = { lat: [-90, 90], lon: [-180, 180], radius: [0.001, 20000000], priority: [-1000000, 1000000] };
const METERS_PER_DEGREE = 111320;

/**
 * Sets up the panel.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `choose(story)`, `resize(place, radius, take, leave)`, `notify(sentence)`,
 *   `walkOf(story)`, `showMoment(walk, fix, fraction)`.
 */
export const openStoryPanel = (app, hooks) => {
  const box = $('story'), find = $('find');
  let shown = null, inputs = {};

  const change = (key, value) => {
    const place = app.edits.places.get(shown);
    if (!place) return;
    const words = { radius: 'Resize', lat: 'Move', lon: 'Move', title: 'Rename' }[key] ?? 'Edit';
    app.edits.change(words, [{ id: shown, after: { ...place, [key]: value } }]);
  };
  const field = ([key, words, type]) => {
    const isTime = type === 'time', zone = app.scene.zone;
    const label = element('label', isTime ? `${words} (${toldZone(zone)})` : words), input = element('input');
    input.type = isTime ? 'text' : type;
    if (isTime) input.placeholder = '2026-03-04 17:00';
    input.name = key;
    if (type === 'number') input.step = 'any';
    input.addEventListener('change', () => {
      if (isTime) {
        const time = instantOf(input.value, zone), isGood = input.value.trim() === '' || time !== null;
        input.setCustomValidity(
          isGood ? '' : 'Use a date and a time such as 2026-03-04 17:00. Add Z or +01:00 for another zone.',
        );
        return isGood ? change(key, time === null ? undefined : isoText(time)) : input.reportValidity();
      }
      if (type !== 'number') return change(key, input.value);
      const value = Number(input.value), [least, most] = BOUNDS[key];
      const isWhole = key !== 'priority' || Number.isInteger(value);
      const isGood = input.value !== '' && value >= least && value <= most && isWhole;
      input.setCustomValidity(
        isGood ? '' : `Must be ${key === 'priority' ? 'a whole number ' : ''}from ${least} to ${most}.`,
      );
      if (!isGood) return input.reportValidity();
      if (key !== 'radius') return change(key, value);
      hooks.resize(app.edits.places.get(shown), value, () => change(key, value), show);
    });
    inputs[key] = input;
    label.append(input);
    return label;
  };
  const nudge = (words, north, east) => {
    const button = element('button', words);
    button.type = 'button';
    button.title = `Move 10 m ${words.toLowerCase()}, with Shift 100 m`;
    button.addEventListener('click', (event) => {
      const place = app.edits.places.get(shown), meters = event.shiftKey ? 100 : 10;
      const six = (value) => Math.round(value * 1e6) / 1e6;
      const shrink = Math.max(.01, Math.cos(place.lat * Math.PI / 180));
      app.edits.change('Move', [{
        id: shown,
        after: {
          ...place,
          lat: Math.min(90, Math.max(-90, six(place.lat + north * meters / METERS_PER_DEGREE))),
          lon: six(L.Util.wrapNum(place.lon + east * meters / METERS_PER_DEGREE / shrink, [-180, 180], true)),
        },
      }]);
    });
    return button;
  };
  const build = (id) => {
    inputs = {};
    const head = element('h3', undefined, 'story-name');
    const why = element('div', undefined, 'why-box');
    why.id = 'explanation';
    why.setAttribute('role', 'status');
    const moves = element('div', undefined, 'nudges');
    moves.setAttribute('role', 'group');
    moves.setAttribute('aria-label', 'Move the story');
    moves.append(nudge('North', 1, 0), nudge('South', -1, 0), nudge('West', 0, -1), nudge('East', 0, 1));
    const actions = element('div', undefined, 'actions');
    const ask = element('button', 'Why?');
    ask.type = 'button';
    ask.id = 'why';
    ask.addEventListener('click', () => explain(app, { id: shown, walk: hooks.walkOf(shown) }, why, hooks));
    const remove = element('button', 'Remove');
    remove.type = 'button';
    remove.id = 'remove';
    remove.addEventListener('click', () => {
      app.edits.change('Remove', [{ id: shown, after: null }]);
      hooks.choose(null);
    });
    const keep = element('button', 'Save as a test');
    keep.type = 'button';
    keep.id = 'keep-case';
    keep.title = 'Download what happens to the story on this walk, as a file of story tests';
    keep.addEventListener('click', async () => {
      try {
        download('case.yaml', 'application/yaml', await postExport({ ...app.question(), form: 'case', story: shown }));
      } catch (error) {
        hooks.notify(error.message);
      }
    });
    actions.append(ask, remove, keep);
    const form = element('div', undefined, 'fields');
    form.append(...FIELDS.map(field));
    box.replaceChildren(
      head,
      element('p', id, 'dim'),
      element('p', undefined, 'fate'),
      element('p', undefined, 'odds'),
      element('div', undefined, 'odds-dots'),
      actions,
      why,
      form,
      moves,
    );
  };
  const alertWords = (number) => `${number} ${number === 1 ? 'alert' : 'alerts'}`;
  const fateWords = (id) => {
    const row = app.changed.find((one) => one[0] === id);
    if (!row) return 'This walk stays outside the circle.';
    const [, alerts, suppressed, late, missed, start] = row;
    const parts = [[alerts, 'alert'], [suppressed, 'held back'], [late, 'late'], [missed, 'missed']]
      .filter(([number]) => number).map(([number, words]) =>
        words === 'alert' ? alertWords(number) : `${number} ${words}`
      );
    return `On this walk: ${parts.join(', ') || 'nothing'}` +
      (start !== alerts ? `; at the start ${alertWords(start)}` : '') + '.';
  };
  /** Shows the chosen story. */
  const show = () => {
    const place = app.chosen ? app.edits.places.get(app.chosen) : null;
    if (!place) {
      shown = null;
      box.replaceChildren(element('p', 'Choose a story on the map or in a list. Then drag it or its edge.', 'dim'));
      return;
    }
    if (shown !== place.id) {
      shown = place.id;
      build(place.id);
    }
    box.querySelector('.story-name').textContent = app.titleOf(place.id);
    box.querySelector('.fate').textContent = app.chances.hasPhone ? '' : fateWords(place.id);
    box.querySelector('.odds').textContent = app.chances?.words(place.id) ?? '';
    box.querySelector('.odds-dots').replaceChildren(phoneDots(app.chances?.dots(place.id)));
    for (const [key, , type] of FIELDS) {
      const value = place[key] ?? (key === 'priority' ? 0 : '');
      const text = type === 'time' && value !== '' ? clockText(Date.parse(value), app.scene.zone) : String(value);
      if (document.activeElement !== inputs[key] && inputs[key].value !== text) inputs[key].value = text;
    }
  };

  // The list below the search field has the first matches only, not thousands of stories.
  find.addEventListener('input', () => {
    const text = find.value.toLowerCase();
    const exact = app.edits.places.get(find.value) ??
      [...app.edits.places.values()].find((one) => one.title && one.title === find.value);
    if (exact) return hooks.choose(exact.id, true);
    const fits = text
      ? [...app.edits.places.values()].filter((one) =>
        (one.title ?? '').toLowerCase().includes(text) || one.id.toLowerCase().includes(text)
      ).slice(0, 20)
      : [];
    $('found').replaceChildren(...fits.map((one) => {
      const option = element('option', one.id);
      option.value = one.title || one.id;
      return option;
    }));
  });
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const first = $('found').querySelector('option');
    if (first) hooks.choose(first.textContent, true);
  });
  return { show, ask: () => $('why')?.click() };
};
