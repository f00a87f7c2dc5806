// Street tiles on the pages that are served.

/** What the server has of tiles in a file; null if it has none. */
const ownTiles = async () => {
  try { return await (await fetch('tiles')).json(); } catch { return null; }
};

/** Streets from the server's own file, which need no network and are shown at once. */
const showOwnStreets = (map, grid, box, { name, attribution, leastZoom, greatestZoom }) => {
  // Leaflet takes an attribution for markup.
  const credit = element('span', attribution).innerHTML;
  const tiles = L.tileLayer('tiles/{z}/{x}/{y}', { attribution: credit, minNativeZoom: leastZoom,
    maxNativeZoom: greatestZoom, maxZoom: 20, className: 'street-tiles' });
  const update = () => {
    if (box.checked) { tiles.addTo(map); grid.remove(); } else { tiles.remove(); grid.addTo(map); }
  };
  box.checked = true;
  box.disabled = false;
  $('streets-note').textContent = '';
  $('streets-label').title = `Tiles of ${name || 'a file'} on this server`;
  box.addEventListener('change', update);
  update();
};

/** Street tiles in place of the grid: from the server's file, else on request; the browser remembers that. */
const offerRememberedStreets = async map => {
  const Grid = L.GridLayer.extend({ createTile: () => element('div', undefined, 'grid-tile') });
  const grid = new Grid({ tileSize: 128, updateWhenIdle: false }).addTo(map);
  const box = $('streets'), own = await ownTiles();
  if (own) return showOwnStreets(map, grid, box, own);
  // Where nothing may be stored the choice lasts as long as the page.
  try { box.checked = localStorage.getItem('streets') === 'yes'; } catch { box.checked = false; }
  box.addEventListener('change', () => {
    try { localStorage.setItem('streets', box.checked ? 'yes' : 'no'); } catch { /* as above */ }
  });
  $('streets-label').title = 'Loads tiles from tile.openstreetmap.org';
  offerStreets(map, box, $('streets-note'), { online: '', offline: '(offline)', failed: '(tile.openstreetmap.org cannot be reached)' },
    { maxZoom: 20, maxNativeZoom: 19, className: 'street-tiles' },
    isShown => { if (isShown) grid.remove(); else grid.addTo(map); });
};
