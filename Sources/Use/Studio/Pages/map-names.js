// Names on maps: each beside the dot of what it names.

/** At most this many names are tried, the most important first. */
const MOST_TRIED = 400, MOST_NAMES = 60;
/** The distance of a name from its dot, and its height, in pixels. */
const NAME_GAP = 7, NAME_HEIGHT = 15;
/** Stories have names from this zoom on, or if there are only a few, from a lower one. */
const NAMES_ZOOM = 12, FEW_STORIES = 40, FEW_ZOOM = 11;
/** Whether a map is near enough to name so many stories. */
const hasRoomForNames = (map, number) => map.getZoom() >= (number <= FEW_STORIES ? FEW_ZOOM : NAMES_ZOOM);
/** Where a name can stand, in the order in which it is tried: sideways and down, each from -1 to 1. */
const NAME_SPOTS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]];

/**
 * A layer of names. `names` holds `{ id, x, y, text, look }`, the most important first; a look has `font`, `ink` and
 * `halo`. No name covers another, a dot or anything of `obstacles`, a function that returns boxes in pixels, and none
 * stands on a circle of `circles`, unless its own dot is on that circle. What has no free spot has no name, except
 * one that is `wanted`.
 *
 * With a `canvas`, the names are drawn there rather than on the layer's own.
 *
 * A name stays where it was for as long as it can. While `isCalm`, as during a drag, all names stay beside their dots.
 */
const Names = Drawing.extend({
  drawArea(area) {
    const ratio = devicePixelRatio || 1, c = (this.canvas ?? this._container).getContext('2d'), placed = [];
    this.area = area;
    this.spots ??= new Map();
    this.widths ??= new Map();
    c.setTransform(ratio, 0, 0, ratio, -this.whole.left * ratio, -this.whole.top * ratio);
    Object.assign(c, { lineJoin: 'round', textAlign: 'left', textBaseline: 'middle' });
    const seen = this.seenNames(c);
    if (!this.isCalm) this.prepareBarriers(seen);
    const spots = new Map();
    for (const one of seen) {
      if (placed.length >= MOST_NAMES) break;
      const spot = this.spotOf(one, placed);
      if (!spot) continue;
      spots.set(one.key, spot);
      const box = this.boxAt(one, spot);
      placed.push(box);
      const look = this.looks[one.look], middle = (box.top + box.bottom) / 2;
      Object.assign(c, { font: look.font, strokeStyle: look.halo, fillStyle: look.ink, lineWidth: 3 });
      c.strokeText(one.words, box.left + 2, middle);
      c.fillText(one.words, box.left + 2, middle);
    }
    this.spots = spots;
    this.placed = placed;
    this.drawn.names = placed.length;
    this.area = this.whole;
  },

  /** The names whose dots are in view, with their places and widths in pixels. */
  seenNames(c) {
    const seen = [];
    for (const one of this.names ?? []) {
      const x = this.x(one.x), y = this.y(one.y);
      if (!this.isSeen(x, y, 0)) continue;
      const { font } = this.looks[one.look], words = cut(one.text, 32), key = one.id ?? one.text;
      // Measuring is slow, and a name is measured at each step of a drag.
      const known = `${font} ${words}`;
      if (!this.widths.has(known)) {
        c.font = font;
        this.widths.set(known, c.measureText(words).width + 4);
      }
      seen.push({ ...one, key, words, left: x, top: y, width: this.widths.get(known) });
      if (seen.length >= MOST_TRIED) break;
    }
    return seen;
  },

  /** Collects what names must not cover. */
  prepareBarriers(seen) {
    const dot = 3;
    this.barriers = [
      ...this.obstacles?.() ?? [],
      ...seen.map(({ left, top, key }) => ({
        key,
        left: left - dot,
        right: left + dot,
        top: top - dot,
        bottom: top + dot,
      })),
    ];
    this.rings = (this.circles?.() ?? []).map((one) => ({ x: this.x(one.x), y: this.y(one.y), r: this.radius(one) }))
      .filter((one) => this.isSeen(one.x, one.y, one.r));
  },

  boxAt({ left, top, width }, [across, down]) {
    const x = left + (across === 0 ? -width / 2 : across > 0 ? NAME_GAP : -NAME_GAP - width);
    const y = top + down * (across === 0 ? NAME_GAP + NAME_HEIGHT / 2 : NAME_HEIGHT * .7);
    return { left: x, right: x + width, top: y - NAME_HEIGHT / 2, bottom: y + NAME_HEIGHT / 2 };
  },

  /** Where a name stands; undefined if it has no free spot. */
  spotOf(one, placed) {
    const before = this.spots.get(one.key);
    if (this.isCalm) return before ?? (one.wanted ? NAME_SPOTS[0] : undefined);
    const spots = before ? [before, ...NAME_SPOTS] : NAME_SPOTS;
    const touches = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const isFree = (box) =>
      box.left > this.whole.left && box.right < this.whole.right &&
      !placed.some((other) => touches(box, other)) &&
      !this.barriers.some((other) => other.key !== one.key && touches(box, other));
    /** Whether a box lies on a circle, other than one that contains the dot itself. */
    const isClear = (box) =>
      !this.rings.some(({ x, y, r }) => {
        if (Math.hypot(x - one.left, y - one.top) <= r) return false;
        const dx = Math.max(box.left - x, 0, x - box.right), dy = Math.max(box.top - y, 0, y - box.bottom);
        return dx * dx + dy * dy < r * r;
      });
    const free = spots.filter((spot) => isFree(this.boxAt(one, spot)));
    return free.find((spot) => isClear(this.boxAt(one, spot))) ?? (one.wanted ? free[0] ?? NAME_SPOTS[0] : undefined);
  },

  find: () => null,
});
