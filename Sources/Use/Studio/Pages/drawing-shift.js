// After a move, a drawing draws only what came into view.

Drawing.include({
  /**
   * Keeps the part of the picture that is still visible after the map moved, and draws the rest.
   *
   * The result equals that of `draw`, except for marks so close that only one of them is drawn.
   * Returns false if
   * nothing can be kept.
   */
  shift() {
    const before = this.drawn, canvas = this._container, ratio = devicePixelRatio || 1;
    if (!before || this._map._animatingZoom) return false;
    const { left, top, right, bottom } = this.place(), now = this.drawn;
    const dx = Math.round((before.x - now.x) * ratio) / ratio, dy = Math.round((before.y - now.y) * ratio) / ratio;
    if (
      now.scale !== before.scale || now.width !== before.width || now.height !== before.height ||
      Math.abs(dx - before.x + now.x) > .02 || Math.abs(dy - before.y + now.y) > .02 ||
      Math.abs(dx) >= now.width || Math.abs(dy) >= now.height
    ) return false;
    // Note where the picture is rather than where it should be, so that errors do not add up.
    Object.assign(now, { x: before.x - dx, y: before.y - dy });
    const c = canvas.getContext('2d');
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.globalCompositeOperation = 'copy';
    c.drawImage(canvas, dx * ratio, dy * ratio);
    c.globalCompositeOperation = 'source-over';
    const across = { left, right, top: dy > 0 ? top : bottom + dy, bottom: dy > 0 ? top + dy : bottom };
    const along = {
      left: dx > 0 ? left : right + dx,
      right: dx > 0 ? left + dx : right,
      top: dy > 0 ? top + dy : top,
      bottom: dy > 0 ? bottom : bottom + dy,
    };
    for (const area of [across, along]) this.drawPart(area);
    return true;
  },

  /** Draws one area again. */
  drawPart({ left, top, right, bottom }) {
    if (!(right > left && bottom > top) || !this._map || this._map._animatingZoom) return;
    const c = this._container.getContext('2d'),
      ratio = devicePixelRatio || 1,
      box = [left, top, right - left, bottom - top];
    c.save();
    c.setTransform(ratio, 0, 0, ratio, -this.whole.left * ratio, -this.whole.top * ratio);
    c.beginPath();
    c.rect(...box);
    c.clip();
    c.clearRect(...box);
    this.drawArea({ left, top, right, bottom });
    c.restore();
  },

  /** Draws the surroundings of circles again. */
  drawAround(circles) {
    const { whole } = this, ratio = devicePixelRatio || 1;
    if (!whole || !circles.length) return;
    const far = circles.map((one) => this.radius(one) + EDGE),
      x = circles.map((one) => this.x(one.x)),
      y = circles.map((one) => this.y(one.y));
    // Its edges lie between pixels.
    const edge = (round, from, values) => from + round((values - from) * ratio) / ratio;
    this.drawPart({
      left: Math.max(whole.left, edge(Math.floor, whole.left, Math.min(...x.map((at, i) => at - far[i])))),
      top: Math.max(whole.top, edge(Math.floor, whole.top, Math.min(...y.map((at, i) => at - far[i])))),
      right: Math.min(whole.right, edge(Math.ceil, whole.left, Math.max(...x.map((at, i) => at + far[i])))),
      bottom: Math.min(whole.bottom, edge(Math.ceil, whole.top, Math.max(...y.map((at, i) => at + far[i])))),
    });
  },
});
