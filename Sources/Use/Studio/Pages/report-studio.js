// Links that open the choice in a studio.

/** The part of a studio's address that names a moment: its time or, without one, its position. */
const studioMoment = (moment) =>
  moment.seconds === null
    ? { near: `${moment.lat.toFixed(6)}/${moment.lon.toFixed(6)}` }
    : { when: String(moment.seconds) };

/** The parameters of a studio's address for a choice. */
const studioWords = (choice) => {
  if (choice.kind === 'track' && choice.moment === undefined) return { track: tracks[choice.index].name };
  const one = KEYS[choice.kind][0][choice.index];
  const moment = choice.kind === 'spot'
    ? null
    : choice.moment === undefined
    ? orderedMoments(one.moments)[0]
    : orderedMoments(one.moments)[choice.moment];
  const story = choice.kind === 'story' ? { story: one.id } : moment ? { story: stories[moment.story].id } : {};
  if (!moment) return { ...story, map: `${one.lat.toFixed(5)}/${one.lon.toFixed(5)}/16` };
  return { track: tracks[moment.track].name, ...story, ...studioMoment(moment) };
};

/** A link that opens a choice in the page's studio; null if the page has no studio. */
const studioLink = (choice) => {
  const { address, view } = data.studio ?? {};
  const url = address === './' ? './' : safeLink(address);
  if (!url) return null;
  const link = element('a', choice.moment === undefined ? 'Open in the studio' : 'Open this moment in the studio');
  link.href = `${url}#${new URLSearchParams(studioWords(choice))}${view ? `&${view}` : ''}`;
  // Reuse the studio's tab if it is open, so that it keeps its undo history.
  link.target = 'fencepost-studio';
  link.className = 'in-studio';
  return link;
};
