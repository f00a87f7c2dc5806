// Street tiles on the live map and in the studio.

/** A grid that shows where the map has moved while there are no streets. */
const Grid = Drawing.extend({
  drawArea({ left, top, right, bottom }) {
    const c = this._container.getContext('2d'), ratio = devicePixelRatio || 1, { x, y } = this.origin, every = 128;
    c.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio);
    c.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--grid');
    for (let at = every * Math.ceil((x + left) / every) - x; at < right; at += every) {
      c.fillRect(at, top, HAIR, bottom - top);
    }
    for (let at = every * Math.ceil((y + top) / every) - y; at < bottom; at += every) {
      c.fillRect(left, at, right - left, HAIR);
    }
  },
});

/** Describes the server’s file of tiles; null if it has no such file. */
const ownTiles = async () => {
  if (isSent) return null;
  try {
    return await (await fetch('tiles')).json();
  } catch {
    return null;
  }
};

/**
 * Shows streets from the server's own file. They need no network, so they are on from the start.
 */
const showOwnStreets = (map, grid, box, { name, attribution, leastZoom, greatestZoom }) => {
  // Leaflet reads an attribution as markup.
  const credit = element('span', attribution).innerHTML;
  const tiles = L.tileLayer('tiles/{z}/{x}/{y}', {
    attribution: credit,
    minNativeZoom: leastZoom,
    maxNativeZoom: greatestZoom,
    maxZoom: 20,
    className: 'street-tiles',
  });
  const update = () => {
    if (box.checked) {
      tiles.addTo(map);
      grid.remove();
    } else {
      tiles.remove();
      grid.addTo(map);
    }
  };
  box.checked = true;
  box.disabled = false;
  $('streets-note').textContent = '';
  $('streets-label').title = `Tiles of ${name || 'a file'} on this server`;
  box.addEventListener('change', update);
  update();
};

/**
 * Replaces the grid with street tiles: the server's own, or openstreetmap.org's once the reader
 * asks for them.
 */
const offerRememberedStreets = async (map) => {
  const grid = new Grid({}, { padding: .2, pane: 'tilePane' }).addTo(map);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => grid.draw());
  const box = $('streets'), own = await ownTiles();
  if (own) return showOwnStreets(map, grid, box, own);
  // If the browser stores nothing, the choice lasts as long as the page.
  try {
    box.checked = localStorage.getItem('streets') === 'yes';
  } catch {
    box.checked = false;
  }
  box.addEventListener('change', () => {
    try {
      localStorage.setItem('streets', box.checked ? 'yes' : 'no');
    } catch { /* as above */ }
  });
  $('streets-label').title = 'Loads tiles from tile.openstreetmap.org';
  offerStreets(
    map,
    box,
    $('streets-note'),
    { online: '', offline: '(offline)', failed: '(openstreetmap.org cannot be reached)' },
    { maxZoom: 20, maxNativeZoom: 19, className: 'street-tiles' },
    (isShown) => {
      if (isShown) grid.remove();
      else grid.addTo(map);
    },
  );
};
