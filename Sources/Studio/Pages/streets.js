// Street tiles on the pages that are served.

/** Street tiles in place of the grid, if the reader asks for them; the browser remembers that. */
const offerRememberedStreets = map => {
  const Grid = L.GridLayer.extend({ createTile: () => element('div', undefined, 'grid-tile') });
  const grid = new Grid({ tileSize: 128, updateWhenIdle: false }).addTo(map);
  const box = $('streets');
  // Where nothing may be stored the choice lasts as long as the page.
  try { box.checked = localStorage.getItem('streets') === 'yes'; } catch { box.checked = false; }
  box.addEventListener('change', () => {
    try { localStorage.setItem('streets', box.checked ? 'yes' : 'no'); } catch { /* as above */ }
  });
  $('streets-label').title = 'Loads tiles from tile.openstreetmap.org';
  offerStreets(map, box, $('streets-note'), { online: '', offline: '(offline)' },
    { maxZoom: 20, maxNativeZoom: 19, className: 'street-tiles' },
    isShown => { if (isShown) grid.remove(); else grid.addTo(map); });
};
