// The address of a view: the walk, the moment, the map, the chosen story and the changes.

/** A value as URL-safe Base64 of its JSON in UTF-8. */
const packed = (value) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};
const unpacked = (text) => {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};

/**
 * The view that an address names.
 *
 * @param {string} hash
 * @returns {import('./studio-wire.js').View & {isBroken: boolean}}
 */
export const readAddress = (hash) => {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (key) => words.has(key) && Number.isFinite(Number(words.get(key))) ? Number(words.get(key)) : null;
  const pair = (words.get('near') ?? '').split('/').map(Number);
  const [lat, lon, zoom] = (words.get('map') ?? '').split('/').map(Number);
  const changes = words.has('edits') ? unpacked(words.get('edits')) : null;
  const rules = words.has('rules') ? unpacked(words.get('rules')) : null;
  const isObject = (one) => one !== null && typeof one === 'object' && !Array.isArray(one);
  const isPlace = (one) => isObject(one) && [one.lat, one.lon, one.radius].every(Number.isFinite);
  const areChanges = isObject(changes) &&
    Object.entries(changes).every(([id, one]) => one === null || isPlace(one) && one.id === id);
  return {
    track: words.get('track'),
    now: number('at'),
    story: words.get('story'),
    // Links from reports name a moment by its time in seconds since 1970, or by its position.
    when: number('when'),
    near: pair.length === 2 && pair.every(Number.isFinite) ? { lat: pair[0], lon: pair[1] } : null,
    map: [lat, lon, zoom].every(Number.isFinite) ? { lat, lon, zoom } : null,
    changes: areChanges ? changes : null,
    rules: isObject(rules) ? rules : null,
    isBroken: words.has('edits') && !areChanges || words.has('rules') && !isObject(rules),
  };
};

/** The address of the current view. */
export const addressOf = (app) => {
  const words = new URLSearchParams();
  if (app.track) words.set('track', app.track.name);
  if (app.player.now) words.set('at', String(Math.round(app.ownNow)));
  if (app.chosen) words.set('story', app.chosen);
  const middle = app.stage.map.getCenter();
  words.set('map', [middle.lat.toFixed(5), middle.lng.toFixed(5), app.stage.map.getZoom()].join('/'));
  const changes = app.edits.changes();
  if (Object.keys(changes).length) words.set('edits', packed(changes));
  const { rules, startRules } = app.edits;
  if (Object.keys(rules).some((key) => rules[key] !== startRules[key])) words.set('rules', packed(rules));
  return '#' + words;
};

/**
 * Returns a function that soon updates the page's address to its view. Each chosen story adds an
 * entry to the history.
 */
export const keepAddress = (app) => {
  let timer = 0, followed = location.hash;
  addEventListener('hashchange', () => {
    followed = location.hash;
  });
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A link has just changed it, and the view follows.
      if (location.hash !== followed) return;
      // Browsers throw if the address changes too often.
      const isOther = history.state?.isOwn && readAddress(location.hash).story !== app.chosen;
      try {
        history[isOther ? 'pushState' : 'replaceState']({ isOwn: true }, '', addressOf(app));
        followed = location.hash;
      } catch { /* The next change updates it. */ }
    }, 250);
  };
};
