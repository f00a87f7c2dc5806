/// The page's script: the one layer of the map that draws everything.
///
/// Leaflet's own shapes are an object each; ten thousand circles and tens of thousands of marks would not
/// stay fluid. Here all of a kind is one path on one canvas, and what falls into one cell of a few pixels
/// is drawn once.
enum PageDrawing {
  static let script = #"""
    const LOOK = {
      track: { stroke: '#3d5570', width: 1.6, alpha: .6 },
      crowd: { cell: 10, size: 6, stroke: '#4d1458', fill: '#9b59b6', width: 1.5 },
      suppressed: { cell: 6, size: 3.6, stroke: '#4f5a66', fill: '#c3cad1', width: 1.4 },
      alert: { cell: 6, size: 4.4, stroke: '#004d3a', fill: '#00a57c', width: 1.4 },
      late: { cell: 7, size: 5.6, stroke: '#7a4b00', fill: '#ffc233', width: 1.8 },
      missed: { cell: 8, size: 5.2, stroke: '#d6390b', width: 3.4 },
    };
    // Each kind of mark has a shape of its own, so that colour is never all that tells them apart.
    const SHAPES = {
      alert: (c, x, y, r) => { c.moveTo(x + r, y); c.arc(x, y, r, 0, 7); },
      suppressed: (c, x, y, r) => { c.moveTo(x, y - r - 1); c.lineTo(x + r + 1, y);
        c.lineTo(x, y + r + 1); c.lineTo(x - r - 1, y); c.closePath(); },
      late: (c, x, y, r) => { c.moveTo(x, y - r); c.lineTo(x + r, y + r * .8);
        c.lineTo(x - r, y + r * .8); c.closePath(); },
      missed: (c, x, y, r) => { c.moveTo(x - r, y - r); c.lineTo(x + r, y + r);
        c.moveTo(x + r, y - r); c.lineTo(x - r, y + r); },
      crowd: (c, x, y, r) => c.rect(x - r, y - r, 2 * r, 2 * r),
    };
    // The world as a square of one unit.
    const worldX = lon => lon / 360 + .5;
    const worldY = lat => {
      const sine = Math.sin(Math.min(85.0511, Math.max(-85.0511, lat)) * Math.PI / 180);
      return .5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
    };
    const Drawing = typeof L === 'undefined' ? null : L.Layer.extend({
      initialize(parts) { Object.assign(this, parts); this.hidden = new Set(); },
      onAdd(map) {
        this.canvas = L.DomUtil.create('canvas', 'leaflet-zoom-hide', this.getPane());
        map.on('moveend resize viewreset', this.draw, this);
        this.draw();
      },
      draw() {
        const map = this._map, size = map.getSize(), ratio = devicePixelRatio || 1;
        const canvas = this.canvas, c = canvas.getContext('2d');
        L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
        canvas.width = size.x * ratio; canvas.height = size.y * ratio;
        canvas.style.width = size.x + 'px'; canvas.style.height = size.y + 'px';
        c.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.scale = 256 * 2 ** map.getZoom();
        const middle = map.project(map.getCenter());
        this.origin = { x: middle.x - size.x / 2, y: middle.y - size.y / 2 };
        this.size = size;
        if (!this.hidden.has('circle')) this.drawCircles(c);
        if (!this.hidden.has('track')) this.drawTracks(c);
        for (const kind of ['crowd', 'suppressed', 'alert', 'late', 'missed'])
          if (!this.hidden.has(kind)) this.drawMarks(c, kind);
        this.drawChosen(c);
      },
      x(world) { return world * this.scale - this.origin.x; },
      y(world) { return world * this.scale - this.origin.y; },
      radius(one) {
        return one.radius / 40075017 / Math.max(.01, Math.cos(one.lat * Math.PI / 180)) * this.scale;
      },
      isSeen(x, y, r) { return x > -r && y > -r && x < this.size.x + r && y < this.size.y + r; },
      drawCircles(c) {
        // Those where something is lost come last, above the others.
        const groups = [
          [one => !one.met, '#7d8b99', 'rgba(120,135,150,.16)', 1],
          [one => one.met && !one.lost, '#2f74c0', 'rgba(47,116,192,.16)', 1.3],
          [one => one.lost, '#d6390b', 'rgba(214,57,11,.18)', 1.6],
        ];
        for (const [belongs, stroke, fill, width] of groups) {
          const seen = new Set();
          c.beginPath();
          for (const one of this.stories) {
            if (!belongs(one)) continue;
            const x = this.x(one.x), y = this.y(one.y), r = Math.max(this.radius(one), 1.2);
            if (!this.isSeen(x, y, r)) continue;
            if (r < 3) {
              const cell = Math.round(x / 3) * 100000 + Math.round(y / 3);
              if (seen.has(cell)) continue;
              seen.add(cell);
            }
            c.moveTo(x + r, y);
            c.arc(x, y, r, 0, 7);
          }
          c.fillStyle = fill; c.fill();
          c.strokeStyle = stroke; c.lineWidth = width; c.stroke();
        }
      },
      trace(c, line) {
        let lastX = Infinity, lastY = Infinity;
        for (let i = 0; i < line.length; i += 2) {
          const x = this.x(line[i]), y = this.y(line[i + 1]);
          if (i === 0) c.moveTo(x, y);
          else if (i + 2 < line.length && Math.abs(x - lastX) + Math.abs(y - lastY) < 2) continue;
          else c.lineTo(x, y);
          lastX = x; lastY = y;
        }
      },
      drawTracks(c) {
        c.strokeStyle = LOOK.track.stroke; c.lineWidth = LOOK.track.width;
        c.globalAlpha = LOOK.track.alpha; c.lineJoin = 'round';
        // A path for each, or where they overlap they would not darken.
        for (const track of this.tracks) {
          c.beginPath();
          for (const line of track.lines) this.trace(c, line);
          c.stroke();
        }
        c.globalAlpha = 1;
      },
      drawMarks(c, kind) {
        const look = LOOK[kind], seen = new Set();
        c.beginPath();
        for (const mark of this.marks[kind]) {
          const x = this.x(mark.x), y = this.y(mark.y);
          if (!this.isSeen(x, y, 10)) continue;
          const cell = Math.round(x / look.cell) * 100000 + Math.round(y / look.cell);
          if (seen.has(cell)) continue;
          seen.add(cell);
          SHAPES[kind](c, x, y, look.size);
        }
        if (look.fill) { c.fillStyle = look.fill; c.fill(); }
        else { c.strokeStyle = '#fff'; c.lineWidth = look.width + 2.4; c.stroke(); }
        c.strokeStyle = look.stroke; c.lineWidth = look.width; c.stroke();
      },
      drawChosen(c) {
        c.strokeStyle = '#000'; c.lineWidth = 3;
        c.beginPath();
        if (this.chosenStory) {
          const one = this.chosenStory, r = Math.max(this.radius(one), 9);
          c.setLineDash([7, 4]);
          c.arc(this.x(one.x), this.y(one.y), r, 0, 7);
        }
        if (this.chosenTrack) for (const line of this.chosenTrack.lines) this.trace(c, line);
        c.stroke();
        c.setLineDash([]);
      },
      // What is under the pointer: a mark, else the smallest circle, else the nearest track.
      find(point) {
        let best = null, least = 81;
        for (const kind of ['missed', 'late', 'alert', 'suppressed', 'crowd']) {
          if (this.hidden.has(kind)) continue;
          for (const mark of this.marks[kind]) {
            const dx = this.x(mark.x) - point.x, dy = this.y(mark.y) - point.y;
            if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; best = { kind, mark }; }
          }
          if (best) return best;
        }
        let smallest = Infinity;
        if (!this.hidden.has('circle')) for (const one of this.stories) {
          const r = Math.max(this.radius(one), 5);
          const dx = this.x(one.x) - point.x, dy = this.y(one.y) - point.y;
          if (r < smallest && dx * dx + dy * dy <= r * r) { smallest = r; best = { kind: 'circle', story: one }; }
        }
        if (best || this.hidden.has('track')) return best;
        least = 36;
        for (const track of this.tracks) for (const line of track.lines)
          for (let i = 2; i < line.length; i += 2) {
            const gap = this.gap(point, line, i);
            if (gap < least) { least = gap; best = { kind: 'track', track }; }
          }
        return best;
      },
      gap(point, line, i) {
        const ax = this.x(line[i - 2]), ay = this.y(line[i - 1]);
        const dx = this.x(line[i]) - ax, dy = this.y(line[i + 1]) - ay;
        const px = point.x - ax, py = point.y - ay, square = dx * dx + dy * dy;
        const t = square ? Math.min(1, Math.max(0, (px * dx + py * dy) / square)) : 0;
        return (px - t * dx) ** 2 + (py - t * dy) ** 2;
      },
    });
    """#
}
