// What becomes of stories, in the few words of a table's row. The report and the studio share them.

/** The reasons for holding an alert back. */
const HELD_BACK = {
  'not-published': 'not published yet',
  expired: 'expired',
  'quiet-hours': 'quiet hours',
  driving: 'moving too fast',
  cooldown: 'alerted recently',
  grouped: 'another story here alerted instead',
  budget: 'no notification slot was free',
};
/** Why most alerts of a story are lost on a phone. */
const LOST_TO = {
  limit: 'nearer stories are watched',
  refresh: 'looked up too late',
  'small-radius': 'circle too small',
  'short-stay': 'stay too short',
  chance: 'bad luck',
  'held-back': 'held back when it came',
};
/** A walk farther away than this, in meters, did not come near. */
const FAR_AWAY = 10000;

/** A share in percent; only exact values become 0 or 100. */
const shareWords = (share) =>
  share > 0 && share < .01 ? '<1 %' : share > .99 && share < 1 ? '>99 %' : `${Math.round(share * 100)} %`;
/** A mean number of alerts, rounded as the terminal rounds it. */
const meanWords = (mean) => (Math.round(mean * 10) / 10).toFixed(1);

/**
 * The results of a story over all walks.
 *
 * @typedef {{alerts: number, suppressed: number, late: number, missed: number, entries: number,
 *   reason: string, radius: number, nearest: number|null, chance: number|null, loss: string,
 *   dates: string, isSwapped: boolean}} Fate
 *   `reason` says why alerts were held back, `nearest` how far the nearest walk is from the center in meters. `chance` is
 *   the share of phones that alert, null if unknown, and `loss` what most due alerts of others are lost to, if any.
 *   `dates` says whether the story's dates leave out all walks: `expired`, `not-published` or nothing. `isSwapped` says that
 *   it would be near the walks with latitude and longitude exchanged.
 * @typedef {{hasPhone: boolean, limit: number|null, isAdaptive: boolean, meters: (value: number) => string}} FateRule
 */

/** Why a story alerts or not, in about five words. @param {Fate} one @param {FateRule} rule */
const whyWords = (one, rule) => {
  if (one.chance >= NEARLY_ALL_PHONES) return 'nearly all phones alert';
  if (one.chance !== null && one.loss) return LOST_TO[one.loss] ?? '';
  if (one.chance >= NEVER) return 'phones alert although nobody enters it';
  const lost = one.late + one.missed, miss = one.nearest === null ? null : one.nearest - one.radius;
  if (!rule.hasPhone && one.alerts) {
    return lost ? `alerts, but ${count(lost)} ${lost === 1 ? 'entry' : 'entries'} lost` : 'watched on entry';
  }
  if (one.suppressed) return HELD_BACK[one.reason] ?? 'held back';
  if (one.late) return 'noticed only once inside';
  if (one.missed) return rule.limit === null ? 'not watched' : `${rule.limit} nearer stories were watched`;
  if (one.isSwapped) return 'latitude and longitude look swapped';
  if (miss === null) return '';
  const where = miss < 0
    ? 'a walk began inside'
    : miss > FAR_AWAY
    ? 'no walk came near'
    : `passed ${rule.meters(miss)} outside`;
  return one.dates && miss <= FAR_AWAY ? `${HELD_BACK[one.dates]}, and ${where}` : where;
};

// ---- the order of lists

/** The fates of stories in the order of lists: those that alert least come first. */
const FATE_ORDER = ['lossy', 'held', 'possible', 'untouched', 'alerting'];
/** The color of a bar without a phone: what becomes of the story, because the bar's length says on how many walks. */
const SHARE_OF_FATE = { alerting: 'share-high', lossy: 'share-low', held: 'share-held', untouched: 'share-none' };
/** The fate of a story on a phone, from the share of phones that alert; `isDue` says whether a walk should set it off. */
const fateOnPhone = (share, isDue, isHeld) =>
  share >= MANY_PHONES
    ? 'alerting'
    : share >= MOST_PHONES
    ? 'possible'
    : share >= NEVER || isDue
    ? 'lossy'
    : isHeld
    ? 'held'
    : 'untouched';
/** The fate of a story as a perfect phone. */
const fateWithoutPhone = (alerts, held, lost) => lost ? 'lossy' : alerts ? 'alerting' : held ? 'held' : 'untouched';
/** The rank in lists: the most important stories first, and of those the ones that alert least. */
const importanceOf = (priority, fate) => priority * FATE_ORDER.length + FATE_ORDER.indexOf(fate);

// ---- the grid of days

const GRID_KINDS = ['alert', 'held', 'late', 'missed'];
const GRID_SIGNS = { alert: '●', held: '◇', late: '▲', missed: '✕' };
const GRID_WORDS = { alert: 'alert', held: 'held back', late: 'late', missed: 'missed' };

/**
 * Fills a cell with what happened to a story on a day of a walk.
 *
 * @param {HTMLElement} cell
 * @param {number[]|undefined} counts The numbers of alerts, and of entries held back, late and missed.
 * @param {number|null} chance The share of phones that alert on that walk; null if unknown.
 * @param {boolean} hasPhone
 * @param {string} where The walk and the day, for the tooltip.
 */
const fillDay = (cell, counts, chance, hasPhone, where) => {
  const [alerts, held] = counts ?? [0, 0];
  const kind = !hasPhone
    ? counts ? GRID_KINDS[counts.findIndex((number) => number)] : ''
    : chance >= MOST_PHONES
    ? 'alert'
    : chance >= NEVER
    ? 'missed'
    : held
    ? 'held'
    : chance !== null && counts
    ? 'missed'
    : '';
  if (!kind) return cell;
  const isChance = hasPhone && kind !== 'held';
  const words = isChance
    ? `${shareWords(chance)} of phones alert`
    : GRID_KINDS.map((name, at) => counts[at] ? `${counts[at]} ${GRID_WORDS[name]}` : '').filter(Boolean).join(', ');
  const sign = element(
    'span',
    isChance ? String(Math.round(chance * 100)) : alerts > 1 ? String(alerts) : GRID_SIGNS[kind],
  );
  sign.setAttribute('aria-hidden', 'true');
  cell.classList.add(kind);
  if (isChance) cell.classList.add(shareLook(chance));
  cell.append(sign, element('span', words, 'hidden'));
  cell.title = `${where}: ${words}`;
  return cell;
};
