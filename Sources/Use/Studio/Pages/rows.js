// The rows of tables: which pass, and in which order.

/**
 * The rows that pass a filter and have every word in their `text`, ordered by a member.
 *
 * Rows without the member come last when ascending, and those where it is NaN always; equal rows
 * keep their order by `index`.
 */
const orderedRows = (rows, search, passes, key, isDown) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean), sign = isDown ? -1 : 1;
  const rank = (value) => Number.isNaN(value) ? sign * Infinity : value ?? Infinity;
  return rows.filter((row) => passes(row) && words.every((word) => row.text.includes(word))).sort((a, b) => {
    const x = rank(a[key]), y = rank(b[key]);
    return x < y ? -sign : x > y ? sign : a.index - b.index;
  });
};
