// What has been changed: stories and rules, with undo and redo of any depth.

/** @typedef {import('./studio-wire.js').Place} Place */
/** @typedef {import('./studio-wire.js').Rules} Rules */

const KEYS = ['id', 'title', 'lat', 'lon', 'radius', 'blurb', 'url', 'category', 'priority', 'published', 'expires'];

/** Whether two stories are the same; what is left out is empty. */
const same = (a, b) => !a || !b ? !a === !b
  : KEYS.every(key => (a[key] || '') === (b[key] || ''));
/** What is changed as one: a name, and its keys. */
const FIELDS = [['position', ['lat', 'lon']], ...KEYS.filter(key => !['id', 'lat', 'lon'].includes(key)).map(key => [key, [key]])];
const sameIn = (keys, a, b) => keys.every(key => (a[key] || '') === (b[key] || ''));

/** The fields that were changed here and by others, to different values; `story` where one side removed or added it. */
export const clashesOf = (known, mine, stored) => {
  if (same(known, stored) || same(known, mine) || same(mine, stored)) return [];
  if (!known || !mine || !stored) return ['story'];
  return FIELDS.filter(([, keys]) => !sameIn(keys, known, mine) && !sameIn(keys, known, stored) && !sameIn(keys, mine, stored))
    .map(([name]) => name);
};

/** A story with what was changed here and what others have changed; theirs goes first where both changed a field. */
const merged = (known, mine, stored, isTheirs) => {
  if (same(known, mine)) return stored;
  if (same(known, stored)) return mine;
  if (!known || !mine || !stored) return isTheirs ? stored : mine;
  const whole = { ...stored };
  for (const [, keys] of FIELDS) {
    if (sameIn(keys, known, mine) || isTheirs && !sameIn(keys, known, stored)) continue;
    for (const key of keys) whole[key] = mine[key];
  }
  return whole;
};

const sameRules = (a, b) => Object.keys(a).every(key => a[key] === b[key]);

/** The stories as they are now, the rules as they are now, and how they came to be so. */
export class Edits {
  /**
   * @param {Place[]} stories
   * @param {Rules} rules
   * @param {() => void} onChange Called after each change.
   */
  constructor(stories, rules, onChange) {
    this.onChange = onChange;
    /** The stories of the store, by id. @type {Map<string, Place>} */
    this.base = new Map(stories.map(place => [place.id, place]));
    /** The stories as they are now, by id. @type {Map<string, Place>} */
    this.places = new Map(this.base);
    /** The ids of stories that may differ from the store's. @type {Set<string>} */
    this.touched = new Set();
    this.startRules = rules;
    this.rules = rules;
    /** Each step: words, and what was and is. @type {{words: string, items: {id: string, before: Place|null, after: Place|null}[], rulesBefore: Rules, rulesAfter: Rules}[]} */
    this.steps = [];
    this.done = 0;
    /** The step that a drag extends. */
    this.open = null;
  }

  get canUndo() { return this.done > 0; }
  get canRedo() { return this.done < this.steps.length; }

  put(id, place) {
    if (place) this.places.set(id, place); else this.places.delete(id);
    this.touched.add(id);
  }

  /** Whether a change would change anything. */
  differs(items, rules) {
    return items.some(one => !same(this.places.get(one.id), one.after)) || !sameRules(rules, this.rules);
  }

  /** Changes stories: `items` holds the new value of each, null to remove it. */
  change(words, items, rules = this.rules, key = null) {
    const changes = items.filter(one => !same(this.places.get(one.id), one.after))
      .map(one => ({ id: one.id, before: this.places.get(one.id) ?? null, after: one.after }));
    if (!changes.length && sameRules(rules, this.rules)) return;
    const open = key !== null && this.open === key ? this.steps[this.done - 1] : null;
    if (open) {
      for (const change of changes) {
        const earlier = open.items.find(one => one.id === change.id);
        if (earlier) earlier.after = change.after; else open.items.push(change);
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

  /** Ends a drag: what follows is a step of its own. */
  close() { this.open = null; }

  /** Takes a drag back as if it had not been. */
  abandon() {
    if (this.open === null || !this.undo()) return;
    this.steps.length = this.done;
    this.onChange();
  }

  setRules(words, rules, key = null) { this.change(words, [], rules, key); }

  /** Changes stories and rules to other ones, given as what differs from the store, in one step. */
  become(words, changes, rules) {
    const ids = new Set([...Object.keys(this.changes()), ...Object.keys(changes)]);
    this.close();
    this.change(words, [...ids].map(id =>
      ({ id, after: Object.hasOwn(changes, id) ? changes[id] : this.base.get(id) ?? null })), rules);
  }

  undo() {
    if (!this.canUndo) return null;
    this.close();
    const step = this.steps[--this.done];
    for (const { id, before } of step.items) this.put(id, before);
    this.rules = step.rulesBefore;
    this.onChange();
    return step;
  }

  redo() {
    if (!this.canRedo) return null;
    this.close();
    const step = this.steps[this.done++];
    for (const { id, after } of step.items) this.put(id, after);
    this.rules = step.rulesAfter;
    this.onChange();
    return step;
  }

  /** What differs from the store, by id: the story as it is now, null if it is gone. */
  changes() {
    const changes = {};
    for (const id of this.touched) {
      const now = this.places.get(id) ?? null, stored = this.base.get(id) ?? null;
      if (!same(now, stored)) changes[id] = now;
    }
    return changes;
  }

  /**
   * Takes over what the store holds now. What has been changed here stays changed, field by field, in the steps as well.
   *
   * @param {Place[]} stories
   * @param {Map<string, Place>} known The stories that the page took for those of the store.
   * @param {boolean} isTheirs Whether a field that others have changed, too, is theirs.
   */
  rebase(stories, known = this.base, isTheirs = false) {
    const own = [...this.touched].map(id => [id, this.places.get(id) ?? null]);
    this.base = new Map(stories.map(place => [place.id, place]));
    this.places = new Map(this.base);
    const mergedOf = (id, place) => merged(known.get(id) ?? null, place, this.base.get(id) ?? null, isTheirs);
    for (const [id, place] of own) this.put(id, mergedOf(id, place));
    const isOld = one => !same(known.get(one.id), this.base.get(one.id));
    for (const item of this.steps.flatMap(step => step.items).filter(isOld)) {
      item.before = mergedOf(item.id, item.before);
      item.after = mergedOf(item.id, item.after);
    }
  }

  /** An id that no story has. */
  newID() {
    let number = this.places.size + 1;
    while (this.places.has(`story-${number}`) || this.base.has(`story-${number}`)) number += 1;
    return `story-${number}`;
  }
}

/** One change in words. */
export const changeWords = (before, after) => {
  const name = cut((after ?? before).title || (after ?? before).id, MOST_TITLE);
  if (!before) return `${name}: added`;
  if (!after) return `${name}: removed`;
  const parts = [];
  if (before.lat !== after.lat || before.lon !== after.lon) parts.push('moved');
  if (before.radius !== after.radius) parts.push(`radius ${before.radius} m → ${after.radius} m`);
  for (const key of ['title', 'blurb', 'url', 'category', 'priority', 'published', 'expires'])
    if ((before[key] ?? '') !== (after[key] ?? '')) parts.push(`${key} changed`);
  return `${name}: ${parts.join(', ')}`;
};
