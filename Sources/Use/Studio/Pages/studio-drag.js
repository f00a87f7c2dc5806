// Dragging the chosen story on the map, or its edge.

import { metersBetween } from './studio-moment.js';
import { askRadius } from './studio-save.js';

/** How close the pointer must be to a handle, in pixels. A finger is less exact. */
export const GRIP = { mouse: 14, touch: 22 };
/** Larger radii, in meters, need the reader's consent. */
const LARGE_RADIUS = 1000;

/**
 * Sets up dragging.
 *
 * @param parts `app`, the `map`, its layer `moving` with the handles, `chosenCircle()`, `handleOf(circle)`, `hooks` with
 *   `move(story, place, words)` and `endMove(place, wanted)`, and `ended()`, called after a drag that moved something.
 * @returns An object whose `current` is the drag while there is one: `hasMoved`, and on which `side` the handle is.
 */
export const openDrag = ({ app, map, moving, chosenCircle, handleOf, hooks, ended }) => {
  let drag = null;
  /** The part of the chosen story under a point: `edge`, `center` (also its inside) or null. */
  const gripAt = (point, grip) => {
    const own = chosenCircle();
    if (!own) return null;
    const farFrom = (one) => Math.hypot(moving.x(one.x) - point.x, moving.y(one.y) - point.y);
    const center = farFrom(own), edge = farFrom(handleOf(own));
    if (edge <= grip && edge < center) return 'edge';
    return center <= Math.max(grip, moving.radius(own)) ? 'center' : null;
  };
  const container = map.getContainer();
  const pointOf = (event) => map.mouseEventToContainerPoint(event);
  const metersTo = (place, point) => {
    const { lat, lng } = map.containerPointToLatLng(point);
    return metersBetween(place.lat, place.lon, lat, lng);
  };
  container.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary || event.target.closest('.leaflet-control')) return;
    const point = pointOf(event), grip = gripAt(point, GRIP[event.pointerType] ?? GRIP.mouse);
    if (!grip) return;
    const place = app.edits.places.get(app.chosen), own = chosenCircle();
    drag = {
      grip,
      place,
      side: Math.sign(handleOf(own).x - own.x),
      pointer: event.pointerId,
      hasMoved: false,
      from: point,
      dx: moving.x(own.x) - point.x,
      dy: moving.y(own.y) - point.y,
      beyond: metersTo(place, point) - place.radius,
    };
    map.dragging.disable();
    container.setPointerCapture(event.pointerId);
  }, true);
  container.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const point = pointOf(event);
    if (!drag.hasMoved && Math.hypot(point.x - drag.from.x, point.y - drag.from.y) < 3) return;
    drag.hasMoved = true;
    const six = (value) => Math.round(value * 1e6) / 1e6;
    if (drag.grip === 'center') {
      const where = map.containerPointToLatLng([point.x + drag.dx, point.y + drag.dy]);
      const lat = Math.min(90, Math.max(-90, six(where.lat))), lon = six(L.Util.wrapNum(where.lng, [-180, 180], true));
      hooks.move(drag.place.id, { ...drag.place, lat, lon }, 'Move');
    } else {
      // Keep the distance between pointer and edge, so that the circle does not jump.
      drag.wanted = Math.max(5, Math.round(metersTo(drag.place, point) - drag.beyond));
      const most = Math.max(LARGE_RADIUS, drag.place.radius);
      hooks.move(drag.place.id, { ...drag.place, radius: Math.min(most, drag.wanted) }, 'Resize');
    }
  }, true);
  const endDrag = (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { hasMoved, place, wanted } = drag;
    drag = null;
    if (hasMoved) {
      hooks.endMove(place, wanted);
      ended();
    }
    map.dragging.enable();
  };
  container.addEventListener('pointerup', endDrag, true);
  container.addEventListener('pointercancel', endDrag, true);
  return {
    get current() {
      return drag;
    },
  };
};

/** What a drag, and a field, do with the place and the radius of a story. */
export const dragHooks = (app) => {
  const move = (id, place, words) => app.edits.change(words, [{ id, after: place }], app.edits.rules, `drag ${id}`);
  /** Applies a radius; asks first if it is large. */
  const resize = (place, radius, take, leave) => {
    if (radius <= Math.max(LARGE_RADIUS, place.radius)) return take();
    askRadius(app.titleOf(place.id), place.radius, radius, take, leave);
  };
  /** Ends a drag. `wanted` is the radius under the pointer if the edge was dragged. */
  const endMove = (place, wanted = 0) =>
    resize(place, wanted, () => {
      if (wanted > LARGE_RADIUS) move(place.id, { ...place, radius: wanted }, 'Resize');
      app.edits.close();
    }, () => app.edits.abandon());
  return { move, resize, endMove };
};
