// The names of stories on the studio's map.

import { FATES } from './studio-fates.js';

/** Names keep off circles if there are no more than this many of them. */
const MOST_CIRCLES = 2000;

/**
 * Adds the names to a map.
 *
 * @param app What the page shows; see `studio.js`.
 * @param parts The `map`, its `looks`, the drawn `circles` by ID, the `fate(id)` of a story, and `missOf(circle)`: the
 *   gap between a circle and the nearest walk, or null.
 */
export const openNames = (app, { map, looks, circles, fate, missOf }) => {
  const layer = new Names({
    looks,
    names: [],
    obstacles: () => boxesOn(map, '.leaflet-control, .tools > *, #legend'),
    circles: () => circles.size > MOST_CIRCLES ? [] : circles.values(),
  });
  layer.addTo(map);
  const nameOf = (one) => ({
    id: one.id,
    x: one.x,
    y: one.y,
    text: one.title,
    wanted: one.id === app.chosen,
    look: one.id === app.chosen ? 'chosenName' : 'name',
  });
  return {
    layer,
    /** Names the stories if there is room: the chosen one first, then those with most to say. */
    show: (isCalm) => {
      const own = app.chosen ? circles.get(app.chosen) : null, miss = own ? missOf(own) : null;
      const named = hasRoomForNames(map, circles.size) ? circles.values() : own ? [own] : [];
      const groups = [...FATES, 'chosen'].map(() => []);
      for (const one of named) {
        if (!app.edits.places.has(one.id)) continue;
        groups[one.id === app.chosen ? FATES.length : FATES.indexOf(fate(one.id))].push(one);
      }
      layer.names = groups.reverse().flat().map(nameOf);
      if (miss) layer.names.unshift({ id: 'gap', ...miss.middle, text: miss.words, wanted: true, look: 'gapName' });
      layer.isCalm = isCalm;
      layer.draw();
    },
  };
};
