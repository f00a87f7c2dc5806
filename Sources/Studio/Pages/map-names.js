// Names on maps, and the base map that comes with the page.

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

/** A line of the base map in world positions; its numbers are differences in two-hundredths of a degree. */
const baseLine = (flat, reference) => {
  const line = new Float64Array(flat.length);
  let lat = 0, lon = 0;
  for (let i = 0; i < flat.length; i += 2) {
    lat += flat[i]; lon += flat[i + 1];
    const x = worldX(lon / 200);
    line[i] = x + Math.round((i ? line[i - 2] : reference) - x); line[i + 1] = worldY(lat / 200);
  }
  return line;
};

/**
 * Shows coasts, lakes, rivers and towns below everything else.
 *
 * @param {{coast: number[][], lake: number[][], river: number[][], town: [number, number, number, string][]}} base
 * @param {(name: string) => string} ink A color of the style sheet.
 * @param {number} reference A world position whose turn of the globe to use.
 * @param {AbortSignal} signal Aborts when the layers are no longer shown.
 */
const showBaseMap = (map, base, ink, reference = .5, signal = undefined) => {
  const looks = () => {
    const water = ink('water'), soft = ink('soft'), paper = ink('paper');
    return { coast: { stroke: water, width: 2 }, lake: { stroke: water, width: 1, fill: water, fillAlpha: .3 },
      river: { stroke: water, width: 1.2, alpha: .8 }, town: { shape: 'square', size: 2.5, fill: soft },
      name: { font: '12px system-ui, sans-serif', ink: soft, halo: paper } };
  };
  const tracks = ['coast', 'lake', 'river'].map(look => ({ look, quiet: true, lines: base[look].map(flat => baseLine(flat, reference)) }));
  const towns = base.town.map(([lat, lon, , text]) => {
    const x = worldX(lon / 1000);
    return { x: x + Math.round(reference - x), y: worldY(lat / 1000), text, look: 'name' };
  });
  // Between street tiles and everything that the page draws.
  if (!map.getPane('base')) map.createPane('base').style.zIndex = 250;
  const options = { padding: .2, pane: 'base' };
  const lines = new Drawing({ looks: looks(), tracks, marks: { town: towns } }, options);
  const names = new Names({ looks: looks(), names: towns }, options);
  lines.addTo(map);
  names.addTo(map);
  map.attributionControl.addAttribution('Map data: Natural Earth, scale 1:10 million');
  const renew = () => { for (const one of [lines, names]) if (map.hasLayer(one)) { one.looks = looks(); one.draw(); } };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', renew, { signal });
  for (const name of ['beforeprint', 'afterprint']) addEventListener(name, renew, { signal });
  return { lines, names };
};
