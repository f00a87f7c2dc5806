// The studio's still drawing: circles of stories, or hexagons while the circles are too many and too small.

/** Draw hexagons above this number of stories, while most of their circles are smaller than this many pixels. */
const LEAST_STORIES = 1000, SMALL_CIRCLE = 6;
/** The steps of the scale by the share of a hexagon's stories that alert, as looks of circles. */
const LOOKS = { 'share-high': 'alerting', 'share-some': 'possible', 'share-low': 'lossy', 'share-none': 'untouched' };
const STORY_LOOKS = ['alerting', 'possible', 'lossy', 'held', 'untouched'];

export const StoryDrawing = Drawing.extend({
  prepare() {
    const groups = this.circles.filter(({ look }) => STORY_LOOKS.includes(look));
    // The stories change with each answer, so that their groups tell whether the hexagons are old.
    if (this.hexagonScale === this.scale && this.hexagonGroups === this.circles) return;
    Object.assign(this, { hexagonScale: this.scale, hexagonGroups: this.circles, cells: null });
    const all = groups.flatMap(({ circles }) => circles);
    if (all.length < LEAST_STORIES) return;
    if (all.filter((one) => this.radius(one) < SMALL_CIRCLE).length <= all.length / 2) return;
    const cells = new Map();
    for (const { look, circles } of groups) {
      for (const one of circles) {
        const { key, x, y } = hexagonAt(this.scale, one);
        if (!cells.has(key)) cells.set(key, { x, y, all: 0, alerting: 0 });
        const cell = cells.get(key);
        cell.all += 1;
        if (look === 'alerting' || look === 'possible') cell.alerting += 1;
      }
    }
    this.cells = [...cells.values()];
    this.most = this.cells.reduce((most, cell) => Math.max(most, cell.all), 1);
  },

  drawCircles(c, group) {
    if (!this.cells || !STORY_LOOKS.includes(group.look)) Drawing.prototype.drawCircles.call(this, c, group);
  },

  drawAllMarks(c) {
    if (!this.cells) return Drawing.prototype.drawAllMarks.call(this, c);
    const seen = this.cells.filter((cell) => this.isSeen(this.x(cell.x), this.y(cell.y), HEXAGON));
    for (const [step, look] of Object.entries(LOOKS)) {
      c.beginPath();
      for (const cell of seen) {
        if (shareLook(cell.alerting / cell.all) === step) {
          traceHexagon(c, this.x(cell.x), this.y(cell.y), cell.all, this.most);
        }
      }
      this.paint(c, { ...this.looks[look], fillAlpha: look === 'untouched' ? .3 : .75 });
    }
    for (const kind of ['start', 'end']) this.drawMarks(c, kind);
  },

  findCircle(point) {
    if (!this.cells) return Drawing.prototype.findCircle.call(this, point);
    const cell = this.cells.find((one) => Math.hypot(this.x(one.x) - point.x, this.y(one.y) - point.y) < HEXAGON * .87);
    return cell ? { kind: 'cell', cell } : null;
  },
});
