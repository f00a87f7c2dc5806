// What becomes of a story, in one answer: its chance on the chosen phone, or else what a perfect
// phone does.

/** Why an alert was held back, in words. */
const reasonWords = reason => HELD_BACK[reason]?.[0] ?? reason;

/** The result of a story on all walks as a word; the map fills its circle by it. */
export const fateOf = (app, id) => {
  const result = app.results.get(id), chance = app.chances?.ofStory(id) ?? null;
  if (chance !== null) return chance >= NEARLY_ALL_PHONES ? 'alerting' : chance >= MOST_PHONES ? 'possible' : 'lossy';
  if (!result) return 'untouched';
  if (app.chances?.hasPhone) return result.suppressed ? 'held' : 'untouched';
  return result.late + result.missed ? 'lossy' : result.alerts ? 'alerting' : result.suppressed ? 'held' : 'untouched';
};

/**
 * The kind of an entry as marks show it: with a phone, whether most phones would alert; empty if no
 * alert is due, or if the chance is not known yet.
 */
export const kindOf = (app, entry) => {
  if (!app.chances?.hasPhone || entry.kind === 'suppressed') return entry.kind;
  const chance = app.chances.onWalk(entry.story);
  return chance === null ? '' : chance >= MOST_PHONES ? 'alert' : 'missed';
};

/** What happens at an entry, in words. */
export const entryWords = (app, entry) => {
  if (entry.kind === 'suppressed') return `held back: ${reasonWords(entry.reason)}`;
  if (!app.chances?.hasPhone) return app.kindWords[entry.kind];
  const chance = app.chances.onWalk(entry.story);
  return chance === null ? 'no alert is due on a real phone' : `alerts in ${shareWords(chance)} of cases on a real phone`;
};

/** The rule that the words of a row depend on. @returns {FateRule} */
export const fateRule = app => ({ hasPhone: app.chances.hasPhone, limit: app.rules.limit,
  isAdaptive: app.rules.refresh === 'adaptive', meters: app.meters });

/**
 * The change that would apply a remedy, of the story or of the rules; null if it takes more.
 *
 * @param {number|null} radius The radius in meters that the explanation found to help, if any.
 */
export const remedyChange = (app, row, radius) => {
  const { rules } = app, wider = radius ?? reachingRadius(row);
  if (wider !== null && wider > row.radius && wider <= LARGEST_REMEDY)
    return { words: `Try a radius of ${app.meters(wider)}`, place: { ...row.place, radius: wider } };
  if (row.suppressed && !row.alerts && HELD_BACK[row.reason]?.[1] === 'ignore dates' && rules.dates !== 'ignore')
    return { words: 'Try ignoring dates', rules: { ...rules, dates: 'ignore' } };
  if (!app.chances.hasPhone && row.late + row.missed && rules.refresh !== 'adaptive')
    return { words: 'Try adaptive lookups', rules: { ...rules, refresh: 'adaptive' } };
  return null;
};
