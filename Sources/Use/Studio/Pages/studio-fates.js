// What becomes of a story, in one answer: its chance on the chosen phone, or else what a perfect
// phone does.

/** Why an alert was held back, in words. */
const reasonWords = (reason) => HELD_BACK[reason] ?? reason;

/** The results of stories, which decide how their circles are filled, in drawing order: the last say most. */
export const FATES = ['untouched', 'held', 'alerting', 'possible', 'lossy'];

/** The result of a story on all walks as a word. */
export const fateOf = (app, id) => {
  const result = app.results.get(id), chance = app.chances?.ofStory(id) ?? null;
  if (app.chances?.hasPhone) {
    return fateOnPhone(chance, chance !== null && app.chances.odds(id)?.isDue, result?.suppressed);
  }
  return result ? fateWithoutPhone(result.alerts, result.suppressed, result.late + result.missed) : 'untouched';
};

/** The fill of a story's circle: its result, and on a phone gray where so few alert that the story never does. */
export const fillOf = (app, id) => {
  const fate = fateOf(app, id);
  return fate === 'lossy' && app.chances?.hasPhone && !(app.chances.ofStory(id) >= NEVER) ? 'untouched' : fate;
};

/**
 * The kind of an entry as marks show it: with a phone, whether most phones would alert; empty if no
 * alert is due, or if the chance is not known yet.
 */
export const kindOf = (app, entry) => {
  const chance = app.chances?.onWalk(entry.story) ?? null;
  if (!app.chances?.hasPhone || entry.kind === 'suppressed' && !(chance >= NEVER)) return entry.kind;
  return chance === null ? '' : chance >= MOST_PHONES ? 'alert' : 'missed';
};

/** What happens at an entry, in words. */
export const entryWords = (app, entry) => {
  const chance = app.chances?.onWalk(entry.story) ?? null;
  if (entry.kind === 'suppressed' && !(chance >= NEVER)) return `held back: ${reasonWords(entry.reason)}`;
  if (!app.chances?.hasPhone) return app.kindWords[entry.kind];
  return chance === null ? 'simulating…' : `${shareWords(chance)} of phones alert`;
};

/** The rule that the words of a row depend on. @returns {FateRule} */
export const fateRule = (app) => ({
  hasPhone: app.chances.hasPhone,
  limit: app.rules.limit,
  isAdaptive: app.rules.refresh === 'adaptive',
  meters: app.meters,
});

/**
 * The change that a remedy makes to a story, with its gain; null if none was found.
 *
 * @param {{radius: number, undated: boolean, swapped: boolean, gain: number}|null} remedy
 */
export const remedyChange = (app, row, remedy) => {
  if (!remedy) return null;
  const { radius, undated, swapped, gain } = remedy, parts = [];
  if (Math.abs(radius - row.radius) > .001) parts.push(`a radius of ${app.meters(radius)}`);
  if (undated) parts.push('no dates');
  const alerts = app.chances.hasPhone ? meanWords(gain) : count(Math.round(gain));
  const { lat, lon } = row.place, place = { ...row.place, radius, ...swapped ? { lat: lon, lon: lat } : {} };
  if (undated) {
    delete place.published;
    delete place.expires;
  }
  const words = swapped
    ? ['Swap latitude and longitude', ...parts.length ? [`try ${parts.join(' and ')}`] : []].join(', and ')
    : `Try ${parts.join(' and ')}`;
  return { words, gain: `+${alerts} ${alerts === '1' ? 'alert' : 'alerts'}`, place };
};
