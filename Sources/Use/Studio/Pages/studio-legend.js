// The legend on the map: a line for each thing that is drawn, and nothing else.

/** The words for the steps of the scale, by the looks of circles. */
const scaleOf = (of) =>
  Object.fromEntries(
    ['alerting', 'possible', 'lossy', 'untouched'].map((look, step) => [look, `${SHARE_STEPS[step][2]} ${of}`]),
  );
/** The words for the fills of circles, without and with a simulated phone, and of hexagons. */
const FILLS = {
  plain: { alerting: 'alerts', lossy: 'late or missed', held: 'held back', untouched: 'never alerts' },
  phone: { ...scaleOf('of phones'), held: 'held back' },
  hexagons: scaleOf('of its stories alert'),
};
/** All other keys in order: the class of the mark, its words, and those with a simulated phone. */
const KEYS = [
  ['ring', 'watched', 'watched'],
  ['came', 'just added', 'just added'],
  ['went', 'just dropped', 'just dropped'],
  ['inside', 'inside', 'inside'],
  ['unseen', 'missed now', ''],
  ['next', 'next lookup', 'next lookup'],
  ['safe', 'nothing can be missed in here', 'nothing can be missed in here'],
  ['you', 'here', 'here'],
  ['hit', 'alert', 'alert'],
  ['suppressed', 'held back', 'held back'],
  ['late', 'late', ''],
  ['miss', 'missed', 'rarely alerts'],
  ['chosen', 'chosen', 'chosen'],
  ['changed', 'changed', 'changed'],
  ['gap', 'missed by', 'missed by'],
];

/**
 * Shows the legend.
 *
 * @param {Set<string>} drawn The classes of what is drawn.
 * @param {'plain'|'phone'|'hexagons'} fill What the fill says.
 * @returns {boolean} Whether it has changed.
 */
export const showLegend = (drawn, fill) => {
  const list = $('legend-keys'), isDense = fill === 'hexagons';
  const keys = [
    ...Object.entries(FILLS[fill]).filter(([look]) => isDense || drawn.has(look))
      .map(([look, words]) => [`fill ${look}${isDense ? ' hexagon' : ''}`, words]),
    ...KEYS.filter(([look]) => drawn.has(look)).map((
      [look, words, phoneWords],
    ) => [look, fill === 'phone' ? phoneWords || words : words]),
  ];
  const wanted = String(keys);
  if (list.dataset.key === wanted) return false;
  list.dataset.key = wanted;
  list.replaceChildren(...keys.map(([look, words]) => {
    const item = element('li'), key = element('span', undefined, `key ${look}`);
    key.setAttribute('aria-hidden', 'true');
    item.append(key, words);
    return item;
  }));
  return true;
};

/** Folds the legend while the window is small, because the map needs the room. */
export const openLegend = () => {
  const small = matchMedia('(max-width: 52rem), (max-height: 34rem)');
  const fold = () => {
    $('legend').open = !small.matches;
  };
  small.addEventListener('change', fold);
  fold();
};
