// The one layer that draws everything on a map.
//
// Leaflet makes an object for each shape, which is too slow for ten thousand circles and more
// marks. This layer draws all shapes of a look as one path on one canvas, and marks within a few
// pixels only once.

// Each kind of mark has its own shape, so nobody has to tell them apart by color alone.
const SHAPES = {
  disc: (c, x, y, r) => {
    c.moveTo(x + r, y);
    c.arc(x, y, r, 0, 7);
  },
  diamond: (c, x, y, r) => {
    c.moveTo(x, y - r - 1);
    c.lineTo(x + r + 1, y);
    c.lineTo(x, y + r + 1);
    c.lineTo(x - r - 1, y);
    c.closePath();
  },
  triangle: (c, x, y, r) => {
    c.moveTo(x, y - r);
    c.lineTo(x + r, y + r * .8);
    c.lineTo(x - r, y + r * .8);
    c.closePath();
  },
  cross: (c, x, y, r) => {
    c.moveTo(x - r, y - r);
    c.lineTo(x + r, y + r);
    c.moveTo(x + r, y - r);
    c.lineTo(x - r, y + r);
  },
  square: (c, x, y, r) => c.rect(x - r, y - r, 2 * r, 2 * r),
};

// With thousands of shapes, invisible fills and wide lines would cost tenths of a second.
const SMALL = 7, MANY = 400, MANY_TRACKS = 60, HAIR = 1 / (devicePixelRatio || 1);
/** How far outside the area lines are still drawn, in pixels; more than half of the widest line. */
const EDGE = 8;
/** The distance between the arrows on a track, in pixels. */
const ARROWS = 110;
/** Bounding boxes of lines, computed once. A line may only grow at its end. */
const BOXES = new WeakMap();
const boxOf = (line) => {
  let box = BOXES.get(line);
  if (!box) BOXES.set(line, box = { count: 0, west: Infinity, east: -Infinity, north: Infinity, south: -Infinity });
  for (let i = box.count; i < line.length; i += 2) {
    box.west = Math.min(box.west, line[i]);
    box.east = Math.max(box.east, line[i]);
    box.north = Math.min(box.north, line[i + 1]);
    box.south = Math.max(box.south, line[i + 1]);
  }
  box.count = line.length;
  return box;
};

/**
 * A Leaflet layer of circles, tracks and marks.
 *
 * - `looks`: how to draw each kind: `stroke`, `width`, `alpha`, `fill`, `fillAlpha`, `dash`
 *   (lengths of dashes
 *   and gaps). Marks also have `shape`, `size` in pixels, `cell` (marks within this many pixels of
 * each other are
 *   drawn once) and `halo`.
 * - `circles`: groups `{ look, circles }`, drawn in this order. A circle has `x`, `y`, `lat` and
 *   `radius` in meters. The pointer does not find a group that is `quiet`.
 * - `tracks`: `{ look, lines }`. A line is a flat array of world positions. If the look `thins`, many tracks are
 *   drawn as fine lines. `quiet` works as for circles.
 * - `marks`: lists by kind, drawn in this order. A mark has `x` and `y`.
 * - `hidden`: the kinds not to draw; `circle` and `track` stand for all circles and tracks.
 * - `chosenCircle`, `chosenTrack`: outlined in the look `chosen`.
 * - `focus`: a set of circles, tracks and marks. Everything else is drawn faintly below them.
 */
const Drawing = L.Renderer.extend({
  initialize(parts, options) {
    L.Renderer.prototype.initialize.call(this, { padding: 0, ...options });
    Object.assign(this, { circles: [], tracks: [], marks: {}, hidden: new Set(), crowded: {} }, parts);
  },

  // Leaflet requires these methods of a renderer.
  _initContainer() {
    this._container = document.createElement('canvas');
  },
  _destroyContainer() {
    this._container.remove();
    delete this._container;
  },
  _updatePaths() {},
  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    L.Renderer.prototype._update.call(this);
    if (!this.options.shifts || !this.shift()) this.draw();
  },

  /** Draws everything again. Call it after changing what the layer shows. */
  draw() {
    const map = this._map, canvas = this._container;
    // During an animated zoom, Leaflet stretches the picture. It is drawn when the animation ends.
    if (!map || !this._bounds || map._animatingZoom) return;
    const size = this._bounds.getSize(), ratio = devicePixelRatio || 1;
    const width = Math.floor(size.x * ratio), height = Math.floor(size.y * ratio);
    // Setting a canvas's size, even to the same value, allocates it again.
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    else {
      const c = canvas.getContext('2d');
      c.resetTransform();
      c.clearRect(0, 0, width, height);
    }
    canvas.style.width = size.x + 'px';
    canvas.style.height = size.y + 'px';
    this.drawArea(this.place());
  },

  /** Moves the canvas to the current view and keeps its picture. */
  place() {
    const map = this._map, { min } = this._bounds, size = this._bounds.getSize();
    L.DomUtil.setPosition(this._container, min);
    const view = map.getSize(), middle = map.project(map.getCenter());
    this.scale = 256 * 2 ** map.getZoom();
    this.origin = { x: middle.x - view.x / 2, y: middle.y - view.y / 2 };
    const corner = map.layerPointToContainerPoint(min);
    this.whole = { left: corner.x, top: corner.y, right: corner.x + size.x, bottom: corner.y + size.y };
    this.drawn = {
      scale: this.scale,
      x: this.origin.x + corner.x,
      y: this.origin.y + corner.y,
      width: size.x,
      height: size.y,
    };
    return this.whole;
  },

  /** Draws into an empty area of the canvas. */
  drawArea(area) {
    const ratio = devicePixelRatio || 1, c = this._container.getContext('2d');
    this.area = area;
    c.setTransform(ratio, 0, 0, ratio, -this.whole.left * ratio, -this.whole.top * ratio);
    this.prepare();
    const { focus } = this;
    if (focus) this.drawLayers(c, .16, (one) => !focus.has(one));
    this.drawLayers(c, 1, focus ? (one) => focus.has(one) : () => true);
    this.drawChosen(c);
    this.area = this.whole;
  },

  /** Called before drawing, when the view is known. */
  prepare() {},

  /** Draws the picked shapes with a strength from 0 to 1. */
  drawLayers(c, strength, picks) {
    Object.assign(this, { strength, picks });
    if (!this.hidden.has('circle')) { for (const group of this.circles) this.drawCircles(c, group); }
    if (!this.hidden.has('track')) { for (const track of this.tracks) if (picks(track)) this.drawTrack(c, track); }
    this.drawAllMarks(c);
    this.strength = 1;
  },

  drawAllMarks(c) {
    for (const kind in this.marks) if (!this.hidden.has(kind)) this.drawMarks(c, kind);
  },

  /** Converts a world position to pixels from the map's corner. */
  x(world) {
    return world * this.scale - this.origin.x;
  },
  y(world) {
    return world * this.scale - this.origin.y;
  },

  /** The radius of a circle on the screen, in pixels. */
  radius(one) {
    return worldRadius(one) * this.scale;
  },

  isSeen(x, y, r) {
    const { left, top, right, bottom } = this.area;
    return x > left - r && y > top - r && x < right + r && y < bottom + r;
  },

  /** Fills and strokes the current path. */
  paint(c, look) {
    const strength = this.strength ?? 1;
    if (look.fill) {
      c.globalAlpha = (look.fillAlpha ?? 1) * strength;
      c.fillStyle = look.fill;
      c.fill();
    }
    if (look.stroke) {
      c.globalAlpha = (look.alpha ?? 1) * strength;
      c.strokeStyle = look.stroke;
      c.lineWidth = look.width;
      if (look.dash) c.setLineDash(look.dash);
      c.stroke();
      if (look.dash) c.setLineDash([]);
    }
    c.globalAlpha = 1;
  },

  drawCircles(c, group) {
    const seen = new Set(), small = [], look = this.looks[group.look];
    c.beginPath();
    for (const one of group.circles) {
      if (!this.picks(one)) continue;
      const x = this.x(one.x), y = this.y(one.y), r = Math.max(this.radius(one), 1.2);
      if (!this.isSeen(x, y, r)) continue;
      if (r < 3) {
        const cell = Math.round(x / 3) * 100000 + Math.round(y / 3);
        if (seen.has(cell)) continue;
        seen.add(cell);
      }
      if (r < SMALL) {
        small.push(x, y, r);
        continue;
      }
      c.moveTo(x + r, y);
      c.arc(x, y, r, 0, 7);
    }
    this.paint(c, look);
    if (!small.length) return;
    c.beginPath();
    for (let i = 0; i < small.length; i += 3) {
      c.moveTo(small[i] + small[i + 2], small[i + 1]);
      c.arc(small[i], small[i + 1], small[i + 2], 0, 7);
    }
    // A part looks like the whole.
    if (this.area === this.whole) this.crowded[group.look] = small.length > 3 * MANY;
    this.paint(c, this.crowded[group.look] ? { ...look, fill: undefined, width: HAIR } : look);
  },

  /** Whether a line may be visible in the area being drawn. */
  mayBeSeen(line) {
    const box = boxOf(line), { left, top, right, bottom } = this.area;
    return this.x(box.east) >= left - EDGE && this.x(box.west) <= right + EDGE &&
      this.y(box.south) >= top - EDGE && this.y(box.north) <= bottom + EDGE;
  },

  /** Adds the visible part of a line to the current path. */
  trace(c, line) {
    if (!this.mayBeSeen(line)) return;
    const left = this.area.left - EDGE, right = this.area.right + EDGE;
    const top = this.area.top - EDGE, bottom = this.area.bottom + EDGE;
    let fromX = this.x(line[0]), fromY = this.y(line[1]), isDown = false;
    for (let i = 2; i < line.length; i += 2) {
      const x = this.x(line[i]), y = this.y(line[i + 1]);
      if (i + 2 < line.length && Math.abs(x - fromX) + Math.abs(y - fromY) < 2) continue;
      if (
        x < left && fromX < left || x > right && fromX > right || y < top && fromY < top ||
        y > bottom && fromY > bottom
      ) isDown = false;
      else {
        if (!isDown) c.moveTo(fromX, fromY);
        c.lineTo(x, y);
        isDown = true;
      }
      fromX = x;
      fromY = y;
    }
  },

  // One path per track, so that tracks darken where they overlap.
  drawTrack(c, track) {
    c.lineJoin = c.lineCap = 'round';
    c.beginPath();
    for (const line of track.lines) this.trace(c, line);
    const look = this.looks[track.look], isThin = look.thins && this.tracks.length > MANY_TRACKS;
    this.paint(c, isThin ? { ...look, width: HAIR } : look);
    if (look.arrows && !isThin) this.drawArrows(c, track, look);
  },

  /** Draws small arrows along a track, which show its direction. */
  drawArrows(c, track, look) {
    c.beginPath();
    for (const line of track.lines) {
      if (!this.mayBeSeen(line)) continue;
      let left = ARROWS / 2;
      for (let i = 2; i < line.length; i += 2) {
        const x = this.x(line[i]), y = this.y(line[i + 1]), dx = x - this.x(line[i - 2]), dy = y - this.y(line[i - 1]);
        const far = Math.hypot(dx, dy);
        // At most one on a leg, at the same place whichever part is drawn.
        if (far > left && this.isSeen(x - dx * (1 - left / far), y - dy * (1 - left / far), EDGE)) {
          const tip = left / far, ux = dx / far, uy = dy / far, at = { x: x - dx * (1 - tip), y: y - dy * (1 - tip) };
          c.moveTo(at.x - 5 * ux - 4 * uy, at.y - 5 * uy + 4 * ux);
          c.lineTo(at.x, at.y);
          c.lineTo(at.x - 5 * ux + 4 * uy, at.y - 5 * uy - 4 * ux);
        }
        if (far > left) left += ARROWS * Math.ceil((far - left) / ARROWS);
        left -= far;
      }
    }
    this.paint(c, { stroke: look.stroke, width: 2, alpha: look.alpha });
  },

  drawMarks(c, kind) {
    const look = this.looks[kind], seen = new Set();
    c.beginPath();
    for (const mark of this.marks[kind]) {
      if (!this.picks(mark)) continue;
      const x = this.x(mark.x), y = this.y(mark.y);
      if (!this.isSeen(x, y, 10)) continue;
      if (look.cell) {
        const cell = Math.round(x / look.cell) * 100000 + Math.round(y / look.cell);
        if (seen.has(cell)) continue;
        seen.add(cell);
      }
      SHAPES[look.shape](c, x, y, look.size);
    }
    if (look.halo) this.paint(c, { stroke: look.halo, width: look.width + 2.4 });
    this.paint(c, look);
  },

  drawChosen(c) {
    if (!this.chosenCircle && !this.chosenTrack) return;
    c.beginPath();
    if (this.chosenCircle) {
      const one = this.chosenCircle, r = Math.max(this.radius(one), 9);
      c.setLineDash([7, 4]);
      c.arc(this.x(one.x), this.y(one.y), r, 0, 7);
    }
    if (this.chosenTrack) { for (const line of this.chosenTrack.lines) this.trace(c, line); }
    this.paint(c, this.looks.chosen ?? { stroke: '#000', width: 3 });
    c.setLineDash([]);
  },

  /** Finds the mark, or else the smallest circle, or else the nearest track under the pointer; null for none. */
  find(point) {
    return this.findMark(point) ?? this.findCircle(point) ?? this.findTrack(point);
  },

  findMark(point) {
    let best = null, least = 81;
    for (const kind of Object.keys(this.marks).reverse()) {
      if (this.hidden.has(kind) || this.looks[kind]?.quiet) continue;
      for (const mark of this.marks[kind]) {
        const dx = this.x(mark.x) - point.x, dy = this.y(mark.y) - point.y;
        if (dx * dx + dy * dy < least) {
          least = dx * dx + dy * dy;
          best = { kind, mark };
        }
      }
      if (best) break;
    }
    return best;
  },

  findCircle(point) {
    if (this.hidden.has('circle')) return null;
    let best = null, smallest = Infinity;
    for (const group of this.circles) {
      if (group.quiet) continue;
      for (const circle of group.circles) {
        const r = Math.max(this.radius(circle), 5);
        const dx = this.x(circle.x) - point.x, dy = this.y(circle.y) - point.y;
        if (r < smallest && dx * dx + dy * dy <= r * r) {
          smallest = r;
          best = { kind: 'circle', circle };
        }
      }
    }
    return best;
  },

  findTrack(point) {
    if (this.hidden.has('track')) return null;
    let best = null, least = 36;
    for (const track of this.tracks) {
      if (!track.quiet) {
        for (const line of track.lines) {
          for (let i = 2; i < line.length; i += 2) {
            const gap = this.gapSquared(point, line, i);
            if (gap < least) {
              least = gap;
              best = { kind: 'track', track };
            }
          }
        }
      }
    }
    return best;
  },

  /** The squared distance in pixels from a point to the segment of a line that ends at index `i`. */
  gapSquared(point, line, i) {
    const ax = this.x(line[i - 2]), ay = this.y(line[i - 1]);
    const dx = this.x(line[i]) - ax, dy = this.y(line[i + 1]) - ay;
    const px = point.x - ax, py = point.y - ay, square = dx * dx + dy * dy;
    const t = square ? Math.min(1, Math.max(0, (px * dx + py * dy) / square)) : 0;
    return (px - t * dx) ** 2 + (py - t * dy) ** 2;
  },
});
