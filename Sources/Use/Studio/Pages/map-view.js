// Opening a map, fitting it to what it shows, its tips, and its streets.

/** Opens a map with the parts that all maps of Fencepost share. */
const openMap = (id, options, scalePosition) => {
  const map = L.map(id, options);
  map.attributionControl.setPrefix('Leaflet');
  L.control.scale({ imperial: true, position: scalePosition }).addTo(map);
  return map;
};

/** The marks at the start and the end of each track, from its first line to its last. */
const endsOf = (tracks) => {
  const marks = { start: [], end: [] };
  for (const { lines } of tracks) {
    const first = lines.find((line) => line.length), last = lines.findLast((line) => line.length);
    if (!first) continue;
    marks.start.push({ x: first[0], y: first[1] });
    marks.end.push({ x: last[last.length - 2], y: last[last.length - 1] });
  }
  return marks;
};

/** The point of lines that is nearest to a world position; null for empty lines. */
const nearestOn = (lines, { x, y }) => {
  let best = null, least = Infinity;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      const from = Math.max(0, i - 2),
        dx = line[i] - line[from],
        dy = line[i + 1] - line[from + 1],
        square = dx * dx + dy * dy;
      const share = square ? Math.min(1, Math.max(0, ((x - line[from]) * dx + (y - line[from + 1]) * dy) / square)) : 0;
      const at = { x: line[from] + share * dx, y: line[from + 1] + share * dy },
        gap = (at.x - x) ** 2 + (at.y - y) ** 2;
      if (gap < least) {
        least = gap;
        best = at;
      }
    }
  }
  return best;
};

/** The gap between the edge of a circle and a point outside it: its ends, its middle, and its line. */
const gapTo = (circle, near) => {
  const far = Math.hypot(near.x - circle.x, near.y - circle.y),
    share = far ? Math.min(1, worldRadius(circle) / far) : 0;
  const from = { x: circle.x + share * (near.x - circle.x), y: circle.y + share * (near.y - circle.y) };
  return {
    near,
    middle: { x: (from.x + near.x) / 2, y: (from.y + near.y) / 2 },
    line: [from.x, from.y, near.x, near.y],
  };
};

/** The boxes of what lies on a map, in pixels from its corner. */
const boxesOn = (map, selector) => {
  const frame = map.getContainer(), from = frame.getBoundingClientRect();
  return [...frame.parentElement.querySelectorAll(selector)].map((one) => one.getBoundingClientRect()).filter((one) =>
    one.width
  )
    .map(({ left, right, top, bottom }) => ({
      left: left - from.left - 4,
      right: right - from.left + 4,
      top: top - from.top - 4,
      bottom: bottom - from.top + 4,
    }));
};

/** The bounds of lines in world positions; null for empty lines. */
const boundsOf = (map, lines) => {
  let west = Infinity, east = -Infinity, north = Infinity, south = -Infinity;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      west = Math.min(west, line[i]);
      east = Math.max(east, line[i]);
      north = Math.min(north, line[i + 1]);
      south = Math.max(south, line[i + 1]);
    }
  }
  if (!(west <= east)) return null;
  const corner = (x, y) => map.unproject([x * 256, y * 256], 0);
  return L.latLngBounds(corner(west, south), corner(east, north));
};

/** The bounds of points without the few that lie far from all others, such as one with its coordinates swapped. */
const mainBoundsOf = (map, points) => {
  if (!points.length) return null;
  const middleOf = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const x = middleOf(points.map((one) => one.x)), y = middleOf(points.map((one) => one.y));
  const far = ({ x: across, y: down }) => Math.hypot(across - x, down - y), usual = middleOf(points.map(far));
  // Of many points around a town, none is ten times as far from the middle as half of them are.
  const main = points.filter((one) => far(one) <= Math.max(10 * usual, 1e-6));
  return boundsOf(map, main.map((one) => [one.x, one.y]));
};

/** Fits a map to bounds so that no control lies on them: `boxes` are those of the controls. */
const fitBetween = (map, where, boxes) => {
  const { x, y } = map.getSize(), room = { left: 24, right: 24, bottom: 24 };
  for (const box of boxes) {
    // A control takes the edge from which it takes least, and none takes most of the map.
    const wants = { left: box.right, right: x - box.left, bottom: y - box.top };
    const [edge, least] = Object.entries(wants).sort((a, b) => a[1] - b[1])[0];
    room[edge] = Math.max(room[edge], Math.min(least + 8, (edge === 'bottom' ? y : x) / 3));
  }
  map.fitBounds(where, {
    paddingTopLeft: [room.left, 24],
    paddingBottomRight: [room.right, room.bottom],
    maxZoom: 17,
    animate: false,
  });
};

/** Shows a tip for whatever is under the pointer, and passes clicks on to `choose`. */
const watchPointer = (map, drawing, words, choose) => {
  const tip = L.tooltip({ direction: 'top', offset: [0, -6] });
  let wanted = null;
  map.on('mousemove', (event) => {
    const isWaiting = wanted !== null;
    wanted = event;
    if (isWaiting) return;
    requestAnimationFrame(() => {
      const found = drawing.find(wanted.containerPoint);
      map.getContainer().style.cursor = found ? 'pointer' : '';
      // Leaflet reads a string as markup, so this is an element.
      if (found) map.openTooltip(tip.setLatLng(wanted.latlng).setContent(element('span', words(found))));
      else map.closeTooltip(tip);
      wanted = null;
    });
  });
  map.on('mouseout movestart', () => map.closeTooltip(tip));
  map.on('click', (event) => {
    const found = drawing.find(event.containerPoint);
    if (found) choose(found);
  });
};

/**
 * Loads street tiles from openstreetmap.org, only while the box is checked and the browser is
 * online.
 *
 * @param notes The text beside the box: `online`, `offline`, and `failed` if no tile can be loaded.
 * @param more Options of the tile layer besides its attribution.
 * @param onChange Called with whether streets are shown, whenever that may have changed.
 */
const offerStreets = (map, box, note, notes, more, onChange = () => {}) => {
  const tiles = L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', {
    attribution: '© OpenStreetMap contributors',
    ...more,
  });
  const update = () => {
    const isShown = box.checked && navigator.onLine;
    if (isShown) tiles.addTo(map);
    else tiles.remove();
    box.disabled = !navigator.onLine;
    note.textContent = navigator.onLine ? notes.online : notes.offline;
    onChange(isShown);
  };
  // Report a failure only if no tile arrives; single tiles may be missing.
  let areComing = false;
  tiles.on('loading', () => {
    areComing = false;
  });
  tiles.on('tileload', () => {
    if (areComing) return;
    areComing = true;
    note.textContent = notes.online;
    onChange(true);
  });
  tiles.on('tileerror', () => {
    if (areComing || !box.checked || !navigator.onLine) return;
    note.textContent = notes.failed;
    onChange(false);
  });
  box.addEventListener('change', update);
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
};
