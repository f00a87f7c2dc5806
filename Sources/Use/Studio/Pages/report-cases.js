// The choice as a file for fencepost test.

/** What a moment makes a case expect; null if nothing alerted or was held back. */
const expectationOf = (moment) => {
  const story = stories[moment.story].id, { kind, detail, seconds } = moment;
  if (kind !== 'alert' && kind !== 'suppressed') return null;
  const isLate = kind === 'alert' && detail > 0;
  // The alert must come again within half a minute.
  const between = seconds === null
    ? undefined
    : [-30, 30].map((more) =>
      new Date((seconds + (isLate ? detail : 0) + more) * 1000).toISOString().replace('.000', '')
    );
  return kind === 'alert'
    ? { alert: story, between }
    : { suppressed: story, reason: data.cases.reasons[detail], between };
};

/** The whole path of a file that the command named, so that it works from every folder. */
const wholePath = (name) =>
  name.startsWith('/') || name === '-' || name === 'stdin' || !data.cases.folder
    ? name
    : `${data.cases.folder}/${name}`;
/** The share of phones that alert on a walk, of one story or of all that some alert for. */
const phoneExpectations = (track, story) =>
  (story ? [[story.index, track.shares.get(story.index) ?? 0]] : [...track.shares])
    .filter(([, share]) => story || share >= NEVER).map(([index, share]) => {
      const { id } = stories[index], low = Math.floor(lowerBound(share) * 100) / 100;
      return share >= NEVER && low > 0 ? { alert: id, probability: `>= ${low.toFixed(2)}` } : { 'no-alert': id };
    });
/** The lower end of the 95 % interval (Wilson) of a share of phones, which the same simulation keeps. */
const lowerBound = (share) => {
  const { trials } = data.settings, z = 1.959963984540054, square = z * z / trials;
  return (share + square / 2 - z * Math.sqrt((share * (1 - share) + square / 4) / trials)) / (1 + square);
};
/** An expectation as a line, with the story's title as a comment. */
const expectationLine = (one) => {
  const id = one.alert ?? one['no-alert'] ?? one.suppressed, title = stories.find((story) => story.id === id)?.title;
  return `      - ${JSON.stringify(one)}${title && title !== id ? `  # ${title.replace(/\s+/g, ' ')}` : ''}`;
};

/** The lines of one case: the moments on a walk, of one story or of all. */
const caseLines = (track, own, story) => {
  const list = phones.length ? phoneExpectations(track, story) : orderedMoments(own).map(expectationOf).filter(Boolean);
  const alerts = own.filter((moment) => moment.kind === 'alert'),
    alerting = new Set(alerts.map((moment) => moment.story));
  for (const silent of phones.length ? [] : new Set(own.map((moment) => moment.story))) {
    if (!alerting.has(silent)) list.push({ 'no-alert': stories[silent].id });
  }
  if (!story && !phones.length) list.push({ 'at-most': alerts.length });
  const name = (story ? `${story.title} on ` : '') + track.name;
  return [
    `  - name: ${JSON.stringify(name)}`,
    `    track: ${JSON.stringify(wholePath(track.name))}`,
    '    expect:',
    ...list.map(expectationLine),
  ];
};

/** The choice as cases: a chosen walk as one, a chosen story as one for each walk that enters it. */
const casesText = (choice) => {
  const story = choice.kind === 'story' ? stories[choice.index] : null, own = (story ?? tracks[choice.index]).moments;
  const walks = phones.length && story
    ? tracks.filter((track) => track.shares.get(story.index) >= NEVER).map((track) => track.index)
    : [...new Set(own.map((moment) => moment.track))];
  return [
    `places: ${JSON.stringify(wholePath(data.cases.places))}`,
    `rules: ${JSON.stringify(data.cases.rules)}`,
    'cases:',
    ...walks.flatMap((walk) => caseLines(tracks[walk], own.filter((moment) => moment.track === walk), story)),
    '',
  ].join('\n');
};

/** A button that downloads the choice as cases; null if the page does not list every moment of it. */
const casesButton = (choice) => {
  if (!data.cases || !hasAllMoments || choice.kind === 'spot') return null;
  const one = KEYS[choice.kind][0][choice.index];
  if (!one.moments.length && !(choice.kind === 'story' && one.phone0 >= NEVER || one.mean0 > 0)) return null;
  const button = element('button', 'Save as a test', 'as-cases');
  button.type = 'button';
  button.title = 'Download what happens now, as a file of story tests';
  button.addEventListener('click', () => download('cases.yaml', 'application/yaml', casesText(choice)));
  return button;
};
