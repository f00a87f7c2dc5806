// Hexagons instead of marks where marks would hide each other. The size shows how many entries a
// hexagon stands for, the color which share of them was late or missed.

/** Draw hexagons above this number of marks in view, if a hexagon holds this many on average. */
const LEAST_MARKS = 400, LEAST_CROWD = 2.5;
/** The share of late or missed entries up to which each color goes. */
const LOST_STEPS = [0, .1, .25, .5, .75, 1];

/**
 * Collects marks in hexagons whose positions in the world do not depend on the view.
 *
 * @param {number} scale The width of the world in pixels.
 * @param {{ x: number, y: number, kind: string, times: number }[][]} lists
 * @returns {{ x: number, y: number, marks: number, all: number, lost: number, kinds: object }[]}
 */
const hexagonsOf = (scale, lists) => {
  const cells = new Map();
  for (const list of lists) {
    for (const mark of list) {
      const { key, x, y } = hexagonAt(scale, mark);
      let cell = cells.get(key);
      if (!cell) {
        cell = { x, y, marks: 0, all: 0, lost: 0, kinds: { alert: 0, suppressed: 0, late: 0, missed: 0 } };
        cells.set(key, cell);
      }
      cell.marks++;
      cell.all += mark.times;
      cell.kinds[mark.kind] += mark.times;
      if (mark.kind === 'late' || mark.kind === 'missed') cell.lost += mark.times;
    }
  }
  return [...cells.values()];
};

/** The index of the color for a hexagon's share of late or missed entries. */
const lostStep = (cell) => LOST_STEPS.findIndex((step) => cell.lost / cell.all <= step);

/** A layer that draws the report: marks, or hexagons if there are too many marks. */
const ReportDrawing = Drawing.extend({
  prepare() {
    const seen = this.allCells().filter((cell) => this.isSeen(this.x(cell.x), this.y(cell.y), HEXAGON));
    const marks = seen.reduce((sum, cell) => sum + cell.marks, 0);
    const isDense = marks > LEAST_MARKS && marks / seen.length > LEAST_CROWD;
    this.cells = isDense ? seen : null;
    this.most = seen.reduce((most, cell) => Math.max(most, cell.all), 1);
    this.thinCircles();
    this.onDensity?.(isDense, this.most);
  },

  /** All hexagons at the current scale. */
  allCells() {
    const kinds = KINDS.filter((kind) => !this.hidden.has(kind)), key = `${this.scale} ${kinds}`;
    if (this.cellsKey !== key) {
      this.cellsKey = key;
      this.everyCell = hexagonsOf(
        this.scale,
        this.density ? [this.density.filter((one) => kinds.includes(one.kind))] : kinds.map((kind) => this.marks[kind]),
      );
    }
    return this.everyCell;
  },

  /** Draws circles fainter the more they cover the view, so that their overlaps stay visible. */
  thinCircles() {
    let covered = 0;
    const { left, top, right, bottom } = this.area, whole = (right - left) * (bottom - top);
    for (const { circles } of this.circles) {
      for (const one of circles) {
        const r = Math.max(this.radius(one), 2);
        if (this.isSeen(this.x(one.x), this.y(one.y), r)) covered += Math.PI * r * r;
      }
    }
    this.circleStrength = Math.max(.12, Math.min(1, .7 * whole / (covered || 1)));
    this.trackStrength = Math.min(1, 6 / Math.sqrt(this.tracks.length || 1));
  },

  drawCircles(c, group) {
    // Below hexagons, overlapping circles would all take the color of the last one.
    const isPlain = this.cells && !(this.focus && this.strength === 1);
    this.withStrength(
      this.circleStrength * (isPlain ? .6 : 1),
      () => Drawing.prototype.drawCircles.call(this, c, isPlain ? { ...group, look: 'untouched' } : group),
    );
  },
  drawTrack(c, track) {
    this.withStrength(
      this.focus?.has(track) ? 1 : this.trackStrength,
      () => Drawing.prototype.drawTrack.call(this, c, track),
    );
  },

  withStrength(share, draw) {
    const { strength } = this;
    this.strength = this.focus && strength === 1 ? 1 : strength * share;
    draw();
    this.strength = strength;
  },

  drawAllMarks(c) {
    // The choice is drawn mark by mark.
    if (!this.cells || (this.focus && this.strength === 1)) return Drawing.prototype.drawAllMarks.call(this, c);
    LOST_STEPS.forEach((_, step) => {
      c.beginPath();
      for (const cell of this.cells) {
        if (lostStep(cell) === step) {
          traceHexagon(c, this.x(cell.x), this.y(cell.y), cell.all, this.most);
        }
      }
      this.paint(c, this.looks['lost' + step]);
    });
    if (!this.hidden.has('crowd')) this.drawMarks(c, 'crowd');
  },

  find(point) {
    if (!this.cells) return Drawing.prototype.find.call(this, point);
    if (this.focus) {
      const mark = this.findMark(point);
      if (mark) return mark;
    }
    const cell = this.cells.find((one) => Math.hypot(this.x(one.x) - point.x, this.y(one.y) - point.y) < HEXAGON * .87);
    return cell ? { kind: 'cell', cell } : this.findCircle(point) ?? this.findTrack(point);
  },

  findMark(point) {
    if (!this.focus) return Drawing.prototype.findMark.call(this, point);
    // Among overlapping marks, prefer those of the choice.
    const { marks } = this;
    this.marks = Object.fromEntries(
      Object.entries(marks).map(([kind, list]) => [kind, list.filter((mark) => this.focus.has(mark))]),
    );
    const found = Drawing.prototype.findMark.call(this, point);
    this.marks = marks;
    return found;
  },
});

/** The shortest interval that contains a share of the total weight of sorted values. */
const shortestSpan = (sorted, share) => {
  const all = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  let best = [sorted[0][0], sorted.at(-1)[0]], inside = 0, first = 0;
  for (const [value, weight] of sorted) {
    inside += weight;
    while (inside - sorted[first][1] >= share * all) inside -= sorted[first++][1];
    if (inside >= share * all && value - sorted[first][0] < best[1] - best[0]) best = [sorted[first][0], value];
  }
  return best;
};

/**
 * The box around most of the points: four fifths of them in each direction, and those near it. Null
 * if the box is
 * not much smaller than the whole.
 *
 * @param {{ x: number, y: number, times?: number }[]} points World positions.
 * @param {number} whole The longer side of the box of everything.
 * @returns {{ west: number, east: number, north: number, south: number } | null}
 */
const homeOf = (points, whole) => {
  if (points.length < 3) return null;
  // A few thousand points are enough.
  const every = Math.ceil(points.length / 5000);
  if (every > 1) points = points.filter((_, index) => index % every === 0);
  const along = (key) => points.map((one) => [one[key], one.times ?? 1]).sort((a, b) => a[0] - b[0]);
  const [xs, ys] = [along('x'), along('y')];
  const [west, east] = shortestSpan(xs, .8), [north, south] = shortestSpan(ys, .8);
  const side = Math.max(east - west, south - north);
  if (side * 6 > whole) return null;
  // Include the points near the box.
  const reach = Math.max(side, 1e-5), box = { west, east, north, south };
  for (const { x, y } of points) {
    if (x < west - reach || x > east + reach || y < north - reach || y > south + reach) continue;
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.north = Math.min(box.north, y);
    box.south = Math.max(box.south, y);
  }
  return box;
};
