// Where things are on a map.

/** World positions: the Mercator projection as a square with sides of 1. */
const worldX = (lon) => lon / 360 + .5;
const worldY = (lat) => {
  const sine = Math.sin(Math.min(85.0511, Math.max(-85.0511, lat)) * Math.PI / 180);
  return .5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

/** The radius of a circle in world positions, from meters. */
const worldRadius = ({ radius, lat }) => radius / 40075017 / Math.max(.01, Math.cos(lat * Math.PI / 180));

/** Shifts a longitude by whole turns until it is nearest to a reference. */
const nearestTurn = (lon, reference) => lon + 360 * Math.round((reference - lon) / 360);

/**
 * A line in world positions, from differences of latitude and longitude in millionths of a degree.
 *
 * It begins as near to the reference as whole turns allow. Across the antimeridian, it continues
 * beyond the edge of the map.
 */
const worldLine = (flat, reference = worldX(flat[1] / 1e6)) => {
  const line = new Float64Array(flat.length);
  let lat = 0, lon = 0;
  for (let i = 0; i < flat.length; i += 2) {
    lat += flat[i];
    lon += flat[i + 1];
    const x = worldX(lon / 1e6);
    line[i] = x + Math.round((i ? line[i - 2] : reference) - x);
    line[i + 1] = worldY(lat / 1e6);
  }
  return line;
};
