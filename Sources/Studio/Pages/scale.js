// The one scale for how likely a story is to alert; see `scale.css`. The report and the studio share it.

/** The steps of the scale, from the least share of each: its look, and its words in a legend. */
const SHARE_STEPS = [[.8, 'share-high', '80 % or more'], [.5, 'share-some', '50 to 80 %'], [.05, 'share-low', '5 to 50 %'],
  [0, 'share-none', 'under 5 %']];

/** The step of the scale for a share from 0 to 1. */
const shareStep = share => SHARE_STEPS.findIndex(([least]) => share >= least);
const shareLook = share => SHARE_STEPS[shareStep(share)][1];

/** A bar for a share, in its color or in that of a `look`. Numbers stand beside it, so it is hidden from screen readers. */
const shareBar = (share, look = shareLook(share)) => {
  const bar = element('span', undefined, `share-bar ${look}`), part = element('span');
  part.style.width = `${Math.round(share * 100)}%`;
  bar.setAttribute('aria-hidden', 'true');
  bar.append(part);
  return bar;
};
