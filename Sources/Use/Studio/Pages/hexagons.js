// Hexagons for what would hide each other: entries in the report, stories in the studio.

/** The largest radius of a hexagon on the screen, in pixels. */
const HEXAGON = 15;

/**
 * The hexagon that a world position lies in: its center and a key. Its place in the world does not depend on the view.
 *
 * @param {number} scale The width of the world in pixels.
 */
const hexagonAt = (scale, { x, y }) => {
  const wide = HEXAGON * Math.sqrt(3) / scale, high = HEXAGON * 1.5 / scale;
  // Every other row is shifted by half a width, so compare the nearest centers of two rows.
  let row = Math.round(y / high), column = Math.round(x / wide - (row & 1) / 2);
  const dy = y / high - row;
  if (Math.abs(dy) * 3 > 1) {
    const dx = x / wide - column - (row & 1) / 2;
    const otherRow = row + (dy < 0 ? -1 : 1), otherColumn = Math.round(x / wide - (otherRow & 1) / 2);
    const otherX = x / wide - otherColumn - (otherRow & 1) / 2, otherY = y / high - otherRow;
    if (dx * dx * 3 + dy * dy * 2.25 > otherX * otherX * 3 + otherY * otherY * 2.25) {
      [row, column] = [otherRow, otherColumn];
    }
  }
  return { key: row * 67108864 + column, x: (column + (row & 1) / 2) * wide, y: row * high };
};

/** Adds a hexagon around a point to the current path; its size says how many of the `most` things of any it stands for. */
const traceHexagon = (c, x, y, all, most) => {
  const r = 4 + (HEXAGON - 4) * Math.sqrt(all / most);
  for (let corner = 0; corner < 6; corner++) {
    const angle = Math.PI / 3 * corner + Math.PI / 6;
    c[corner ? 'lineTo' : 'moveTo'](x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  c.closePath();
};
