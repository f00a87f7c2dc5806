// The one scale for how likely a story is to alert; see `scale.css`. The report and the studio share it.

/** The share of phones below which a story never alerts, and from which most, many and nearly all alert. */
const NEVER = .05, MOST_PHONES = .5, MANY_PHONES = .8, NEARLY_ALL_PHONES = .95;
/** The steps of the scale, from the least share of each: its look, and its words in a legend. */
const SHARE_STEPS = [[MANY_PHONES, 'share-high', '80 % or more'], [MOST_PHONES, 'share-some', '50 to 80 %'], [
  NEVER,
  'share-low',
  '5 to 50 %',
], [0, 'share-none', 'under 5 %']];
/** How many walks have a color of their own; see `scale.css`. */
const WALK_COLORS = 8;

/** The step of the scale for a share from 0 to 1. */
const shareStep = (share) => SHARE_STEPS.findIndex(([least]) => share >= least);
const shareLook = (share) => SHARE_STEPS[shareStep(share)][1];

/** A bar for a share, in its color or in that of a `look`. Numbers stand beside it, so it is hidden from screen readers. */
const shareBar = (share, look = shareLook(share)) => {
  const bar = element('span', undefined, `share-bar ${look}`), part = element('span');
  part.style.width = `${Math.round(share * 100)}%`;
  bar.setAttribute('aria-hidden', 'true');
  bar.append(part);
  return bar;
};
