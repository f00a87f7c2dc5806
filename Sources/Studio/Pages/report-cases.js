// The choice as a file for fencepost test.

/** What a moment makes a case expect; null if nothing alerted or was held back. */
const expectationOf = moment => {
  const story = stories[moment.story].id, { kind, detail, seconds } = moment;
  if (kind !== 'alert' && kind !== 'suppressed') return null;
  const isLate = kind === 'alert' && detail > 0;
  // The alert must come again within half a minute.
  const between = seconds === null ? undefined : [-30, 30].map(more =>
    new Date((seconds + (isLate ? detail : 0) + more) * 1000).toISOString().replace('.000', ''));
  return kind === 'alert' ? { alert: story, between } : { suppressed: story, reason: data.cases.reasons[detail], between };
};

/** The lines of one case: the moments on a walk, of one story or of all. */
const caseLines = (track, own, story) => {
  const list = orderedMoments(own).map(expectationOf).filter(Boolean);
  const alerts = own.filter(moment => moment.kind === 'alert'), alerting = new Set(alerts.map(moment => moment.story));
  for (const silent of new Set(own.map(moment => moment.story)))
    if (!alerting.has(silent)) list.push({ 'no-alert': stories[silent].id });
  if (!story) list.push({ 'at-most': alerts.length });
  const name = (story ? `${story.title} on ` : '') + track.name;
  return [`  - name: ${JSON.stringify(name)}`, `    track: ${JSON.stringify(track.name)}`, '    expect:',
    ...list.map(one => `      - ${JSON.stringify(one)}`)];
};

/** The choice as cases: a chosen walk as one, a chosen story as one for each walk that enters it. */
const casesText = choice => {
  const story = choice.kind === 'story' ? stories[choice.index] : null, own = (story ?? tracks[choice.index]).moments;
  const walks = [...new Set(own.map(moment => moment.track))];
  return [`places: ${JSON.stringify(data.cases.places)}`, `rules: ${JSON.stringify(data.cases.rules)}`, 'cases:',
    ...walks.flatMap(walk => caseLines(tracks[walk], own.filter(moment => moment.track === walk), story)), ''].join('\n');
};

/** A button that downloads the choice as cases; null if the page does not list every moment of it. */
const casesButton = choice => {
  if (!data.cases || !hasAllMoments || choice.kind === 'spot' || !KEYS[choice.kind][0][choice.index].moments.length) return null;
  const button = element('button', 'As cases', 'as-cases');
  button.type = 'button';
  button.title = 'Download what happens now, as a file for fencepost test';
  button.addEventListener('click', () => download('cases.yaml', 'application/yaml', casesText(choice)));
  return button;
};
