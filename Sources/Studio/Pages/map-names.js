// Names on maps.

/** At most this many names are tried, the most important first. */
const MOST_TRIED = 400, MOST_NAMES = 60;

/**
 * A layer of names, each where it covers no other. `names` holds `{ x, y, text, look, radius, lat }`, the most
 * important first; with a `radius` the name stands outside that circle. A look has `font`, `ink` and `halo`.
 */
const Names = Drawing.extend({
  drawArea(area) {
    const ratio = devicePixelRatio || 1, c = this._container.getContext('2d'), taken = [];
    this.area = area;
    c.setTransform(ratio, 0, 0, ratio, -this.whole.left * ratio, -this.whole.top * ratio);
    c.lineJoin = 'round';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    let tried = 0;
    for (const one of this.names ?? []) {
      const x = this.x(one.x), y = this.y(one.y);
      if (!this.isSeen(x, y, 0)) continue;
      if ((tried += 1) > MOST_TRIED || taken.length >= MOST_NAMES) break;
      const look = this.looks[one.look], text = cut(one.text, 32);
      c.font = look.font;
      const half = c.measureText(text).width / 2 + 2, away = 11 + (one.radius ? Math.min(this.radius(one), 60) : 0);
      const spot = [[0, away], [0, -away], [half + away, 0], [-half - away, 0]]
        .map(([dx, dy]) => ({ x: x + dx, y: y + dy, half }))
        .find(here => !taken.some(other => Math.abs(other.x - here.x) < other.half + here.half && Math.abs(other.y - here.y) < 15));
      if (!spot) continue;
      taken.push(spot);
      Object.assign(c, { strokeStyle: look.halo, fillStyle: look.ink, lineWidth: 3 });
      c.strokeText(text, spot.x, spot.y);
      c.fillText(text, spot.x, spot.y);
    }
    this.drawn.names = taken.length;
    this.area = this.whole;
  },
  find: () => null,
});
