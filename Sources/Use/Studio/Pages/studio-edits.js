// Changes to stories and rules, with unlimited undo and redo.

/** @typedef {import('./studio-wire.js').Place} Place */
/** @typedef {import('./studio-wire.js').Rules} Rules */

const KEYS = ['id', 'title', 'lat', 'lon', 'radius', 'blurb', 'url', 'category', 'priority', 'published', 'expires'];

/** Whether two stories are equal. A missing field equals an empty one. */
const same = (a, b) => !a || !b ? !a === !b : KEYS.every((key) => (a[key] || '') === (b[key] || ''));
/** Fields that change as one: a name and its keys. */
const FIELDS = [
  ['position', ['lat', 'lon']],
  ...KEYS.filter((key) => !['id', 'lat', 'lon'].includes(key)).map((key) => [key, [key]]),
];
const sameIn = (keys, a, b) => keys.every((key) => (a[key] || '') === (b[key] || ''));

/**
 * The fields that this page and others set to different values; `story` if one side added or
 * removed the story.
 */
export const clashesOf = (known, mine, stored) => {
  if (same(known, stored) || same(known, mine) || same(mine, stored)) return [];
  if (!known || !mine || !stored) return ['story'];
  return FIELDS.filter(([, keys]) =>
    !sameIn(keys, known, mine) && !sameIn(keys, known, stored) && !sameIn(keys, mine, stored)
  )
    .map(([name]) => name);
};

/**
 * Merges changes of a story made here and by others. If both changed a field, `takesTheirs`
 * decides, by the field's name or `story` for the whole.
 */
const merged = (known, mine, stored, takesTheirs) => {
  if (same(known, mine)) return stored;
  if (same(known, stored)) return mine;
  if (!known || !mine || !stored) return takesTheirs('story') ? stored : mine;
  const whole = { ...stored };
  for (const [name, keys] of FIELDS) {
    if (sameIn(keys, known, mine) || !sameIn(keys, known, stored) && takesTheirs(name)) continue;
    for (const key of keys) whole[key] = mine[key];
  }
  return whole;
};

/**
 * A story without a saved change; fields that were changed again since stay as they are.
 *
 * @param {{before: Place|null, after: Place|null}} change
 * @param {Place|null} now
 */
export const without = (change, now) => merged(change.after, change.before, now, () => true);

const sameRules = (a, b) => Object.keys(a).every((key) => a[key] === b[key]);

/** The current stories and rules, and the steps that led to them. */
export class Edits {
  /**
   * @param {Place[]} stories
   * @param {Rules} rules
   * @param {() => void} onChange Called after each change.
   */
  constructor(stories, rules, onChange) {
    this.onChange = onChange;
    /** The stories of the store, by ID. @type {Map<string, Place>} */
    this.base = new Map(stories.map((place) => [place.id, place]));
    /** The current stories, by ID. @type {Map<string, Place>} */
    this.places = new Map(this.base);
    /** The IDs of stories that may differ from the store's. @type {Set<string>} */
    this.touched = new Set();
    this.startRules = rules;
    this.rules = rules;
    /** The steps, each with its name and the values before and after. @type {{words: string, items: {id: string, before: Place|null, after: Place|null}[], rulesBefore: Rules, rulesAfter: Rules}[]} */
    this.steps = [];
    this.done = 0;
    /** The key of the drag that extends the latest step; null if none does. */
    this.open = null;
  }

  /** Adds a step that is done already and changes no story: `act(true)` does it again, `act(false)` takes it back. */
  record(words, act) {
    this.close();
    this.steps.length = this.done;
    this.steps.push({ words, items: [], rulesBefore: this.rules, rulesAfter: this.rules, act });
    this.done += 1;
    this.onChange();
  }

  /** The step that `undo` would take back; null without one. */
  get next() {
    return this.steps[this.done - 1] ?? null;
  }

  get canUndo() {
    return this.done > 0;
  }
  get canRedo() {
    return this.done < this.steps.length;
  }

  put(id, place) {
    if (place) this.places.set(id, place);
    else this.places.delete(id);
    this.touched.add(id);
  }

  /** Whether any of these stories or the rules differ from the current ones. */
  differs(items, rules) {
    return items.some((one) => !same(this.places.get(one.id), one.after)) || !sameRules(rules, this.rules);
  }

  /**
   * Changes stories and rules in one step, which calls with the same `key` extend. Null as `after`
   * removes a story.
   */
  change(words, items, rules = this.rules, key = null) {
    const changes = items.filter((one) => !same(this.places.get(one.id), one.after))
      .map((one) => ({ id: one.id, before: this.places.get(one.id) ?? null, after: one.after }));
    if (!changes.length && sameRules(rules, this.rules)) return;
    const open = key !== null && this.open === key ? this.steps[this.done - 1] : null;
    if (open) {
      for (const change of changes) {
        const earlier = open.items.find((one) => one.id === change.id);
        if (earlier) earlier.after = change.after;
        else open.items.push(change);
      }
      open.rulesAfter = rules;
    } else {
      this.steps.length = this.done;
      this.steps.push({ words, items: changes, rulesBefore: this.rules, rulesAfter: rules });
      this.done += 1;
    }
    this.open = key;
    for (const { id, after } of changes) this.put(id, after);
    this.rules = rules;
    this.onChange();
  }

  /** Ends a drag, so that the next change is a new step. */
  close() {
    this.open = null;
  }

  /** Cancels a drag and forgets its step. */
  abandon() {
    if (this.open === null || !this.undo()) return;
    this.steps.length = this.done;
    this.onChange();
  }

  setRules(words, rules, key = null) {
    this.change(words, [], rules, key);
  }

  /** Changes all stories and rules in one step, given the differences from the store. */
  become(words, changes, rules) {
    const ids = new Set([...Object.keys(this.changes()), ...Object.keys(changes)]);
    this.close();
    this.change(
      words,
      [...ids].map((id) => ({ id, after: Object.hasOwn(changes, id) ? changes[id] : this.base.get(id) ?? null })),
      rules,
    );
  }

  undo() {
    if (!this.canUndo) return null;
    this.close();
    const step = this.steps[--this.done];
    for (const { id, before } of step.items) this.put(id, before);
    this.rules = step.rulesBefore;
    step.act?.(false);
    this.onChange();
    return step;
  }

  redo() {
    if (!this.canRedo) return null;
    this.close();
    const step = this.steps[this.done++];
    for (const { id, after } of step.items) this.put(id, after);
    this.rules = step.rulesAfter;
    step.act?.(true);
    this.onChange();
    return step;
  }

  /**
   * Makes a step of each earlier save, so that it can be undone, oldest first.
   *
   * @param {{words: string, changes: {id: string, before: Place|null, after: Place|null}[]}[]} saves
   */
  recall(saves) {
    const places = new Map(this.base), steps = [];
    for (const { words, changes } of saves.toReversed()) {
      const items = changes.map((change) => {
        const after = places.get(change.id) ?? null;
        return { id: change.id, before: without(change, after), after };
      }).filter(({ before, after }) => !same(before, after));
      for (const { id, before } of items) {
        if (before) places.set(id, before);
        else places.delete(id);
      }
      if (items.length) steps.unshift({ words, items, rulesBefore: this.rules, rulesAfter: this.rules, isSave: true });
    }
    this.steps.unshift(...steps);
    this.done += steps.length;
  }

  /** The differences from the store by ID: the current story, or null if it was removed. */
  changes() {
    const changes = {};
    for (const id of this.touched) {
      const now = this.places.get(id) ?? null, stored = this.base.get(id) ?? null;
      if (!same(now, stored)) changes[id] = now;
    }
    return changes;
  }

  /**
   * Takes over the store's current stories and keeps the changes made here, field by field, in all
   * steps.
   *
   * @param {Place[]} stories
   * @param {Map<string, Place>} known The store's stories as the page knew them.
   * @param {(id: string, field: string) => boolean} takesTheirs Whether the others' value wins where
   *   both changed a field.
   */
  rebase(stories, known = this.base, takesTheirs = () => false) {
    const own = [...this.touched].map((id) => [id, this.places.get(id) ?? null]);
    this.base = new Map(stories.map((place) => [place.id, place]));
    this.places = new Map(this.base);
    const mergedOf = (id, place) =>
      merged(known.get(id) ?? null, place, this.base.get(id) ?? null, (field) => takesTheirs(id, field));
    for (const [id, place] of own) this.put(id, mergedOf(id, place));
    const isOld = (one) => !same(known.get(one.id), this.base.get(one.id));
    for (const item of this.steps.flatMap((step) => step.items).filter(isOld)) {
      item.before = mergedOf(item.id, item.before);
      item.after = mergedOf(item.id, item.after);
    }
  }

  /** An unused ID. */
  newID() {
    let number = this.places.size + 1;
    while (this.places.has(`story-${number}`) || this.base.has(`story-${number}`)) number += 1;
    return `story-${number}`;
  }
}

/** A change in words, such as “City Hall: moved, radius 50 m → 80 m”. */
export const changeWords = (before, after) => {
  const name = cut((after ?? before).title || (after ?? before).id, MOST_TITLE);
  if (!before) return `${name}: added`;
  if (!after) return `${name}: removed`;
  const parts = [];
  if (before.lat !== after.lat || before.lon !== after.lon) parts.push('moved');
  if (before.radius !== after.radius) parts.push(`radius ${before.radius} m → ${after.radius} m`);
  for (const key of ['title', 'category', 'priority', 'published', 'expires']) {
    const [from, to] = [before, after].map((one) => cut(String(one[key] || (key === 'priority' ? 0 : 'none')), 60));
    if (from !== to) parts.push(`${key} ${from} → ${to}`);
  }
  for (const key of ['blurb', 'url']) {
    if ((before[key] ?? '') !== (after[key] ?? '')) parts.push(`${key === 'url' ? 'link' : key} changed`);
  }
  return `${name}: ${parts.join(', ')}`;
};
