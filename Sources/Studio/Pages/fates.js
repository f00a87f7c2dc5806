// What becomes of stories, in the few words of a table's row. The report and the studio share them.

/** The reasons for holding an alert back, and what would help. */
const HELD_BACK = { 'not-published': ['not published yet', 'ignore dates'], expired: ['expired', 'ignore dates'],
  'quiet-hours': ['quiet hours', 'other quiet hours'], driving: ['moving too fast', 'allow a higher speed'],
  cooldown: ['alerted recently', 'a shorter cooldown'], grouped: ['another story here alerted instead', 'move it apart'],
  budget: ['no notification slot was free', 'fewer alerts'] };
/** Why most alerts of a story are lost on a phone, and what would help. */
const LOST_TO = { limit: ['nearer stories are watched', 'fewer stories nearby'],
  refresh: ['looked up too late', 'earlier lookups'], 'small-radius': ['circle too small', 'a larger radius'],
  'short-stay': ['stay too short', 'a larger radius'], chance: ['lost by chance', ''], 'held-back': ['held back when it came', ''] };
/** The chances from which most phones alert, and nearly all do. */
const MOST_PHONES = .5, NEARLY_ALL_PHONES = .8;
/** A radius in meters above this is not a remedy, because it would cover a part of the town. */
const LARGEST_REMEDY = 1000;
/** A walk farther away than this, in meters, did not come near. */
const FAR_AWAY = 10000;

/** A share in percent; only exact values become 0 or 100. */
const shareWords = share =>
  `${(share * 100).toFixed(share > 0 && share < .01 || share > .99 && share < 1 ? 1 : 0)} %`;

/**
 * The results of a story over all walks.
 *
 * @typedef {{alerts: number, suppressed: number, late: number, missed: number, entries: number,
 *   reason: string, radius: number, nearest: number|null, chance: number|null, loss: string}} Fate
 *   `reason` says why alerts were held back, `nearest` how far the nearest walk is from the center in meters. `chance` is
 *   that of its due alerts on a phone, null if none is due, and `loss` what most others are lost to.
 * @typedef {{hasPhone: boolean, limit: number|null, isAdaptive: boolean, meters: (value: number) => string}} FateRule
 */

/** Why a story alerts or not, in about five words. @param {Fate} one @param {FateRule} rule */
const whyWords = (one, rule) => {
  if (one.chance !== null) return one.chance >= NEARLY_ALL_PHONES ? 'nearly all phones alert' : LOST_TO[one.loss]?.[0] ?? '';
  const lost = one.late + one.missed, miss = one.nearest === null ? null : one.nearest - one.radius;
  if (!rule.hasPhone && one.alerts) return lost ? `alerts, but ${count(lost)} ${lost === 1 ? 'entry' : 'entries'} lost` : 'watched on entry';
  if (one.suppressed) return HELD_BACK[one.reason]?.[0] ?? 'held back';
  if (rule.hasPhone && one.entries) return 'no alert is due';
  if (one.late) return 'noticed only once inside';
  if (one.missed) return rule.limit === null ? 'not watched' : `${rule.limit} nearer stories were watched`;
  if (miss === null) return '';
  return miss < 0 ? 'a walk began inside' : miss > FAR_AWAY ? 'no walk came near' : `passed ${rule.meters(miss)} outside`;
};

/** The radius in meters that reaches the nearest walk; null if no radius would help. @param {Fate} one */
const reachingRadius = one => one.entries || one.nearest === null || one.nearest < one.radius || one.nearest > LARGEST_REMEDY
  ? null : Math.ceil(one.nearest);

/** What would help, in a few words; empty if nothing is needed or known. @param {Fate} one @param {FateRule} rule */
const remedyWords = (one, rule) => {
  if (one.chance !== null) return one.chance >= NEARLY_ALL_PHONES ? '' : LOST_TO[one.loss]?.[1] ?? '';
  const lost = one.late + one.missed;
  if (!rule.hasPhone && one.alerts && !lost) return '';
  if (one.suppressed && !one.alerts) return HELD_BACK[one.reason]?.[1] ?? '';
  if (lost) return rule.hasPhone ? '' : rule.isAdaptive ? 'fewer circles nearby' : 'adaptive lookups';
  const radius = reachingRadius(one);
  return radius !== null ? `radius ${rule.meters(radius)}` : !one.entries && one.nearest > one.radius ? 'too far for its radius' : '';
};

// ---- the grid of days

const GRID_KINDS = ['alert', 'held', 'late', 'missed'];
const GRID_SIGNS = { alert: '●', held: '◇', late: '▲', missed: '✕' };
const GRID_WORDS = { alert: 'alert', held: 'held back', late: 'late', missed: 'missed' };

/**
 * Fills a cell with what happened to a story on a day of a walk.
 *
 * @param {HTMLElement} cell
 * @param {number[]|undefined} counts The numbers of alerts, and of entries held back, late and missed.
 * @param {number|null} chance The chance of its alert on a phone; null if unknown, or if none is due.
 * @param {boolean} hasPhone
 * @param {string} where The walk and the day, for the tooltip.
 */
const fillDay = (cell, counts, chance, hasPhone, where) => {
  const [alerts, held] = counts ?? [0, 0], isHeld = held && !alerts;
  const kind = !counts ? '' : !hasPhone ? GRID_KINDS[counts.findIndex(number => number)]
    : chance !== null && !isHeld ? (chance >= MOST_PHONES ? 'alert' : 'missed') : isHeld ? 'held' : '';
  if (!kind) return cell;
  const isChance = hasPhone && kind !== 'held';
  const words = isChance ? `alerts in ${shareWords(chance)}`
    : GRID_KINDS.map((name, at) => counts[at] ? `${counts[at]} ${GRID_WORDS[name]}` : '').filter(Boolean).join(', ');
  const sign = element('span', isChance ? String(Math.round(chance * 100)) : alerts > 1 ? String(alerts) : GRID_SIGNS[kind]);
  sign.setAttribute('aria-hidden', 'true');
  cell.classList.add(kind);
  if (isChance) cell.classList.add(shareLook(chance));
  cell.append(sign, element('span', words, 'hidden'));
  cell.title = `${where}: ${words}`;
  return cell;
};
