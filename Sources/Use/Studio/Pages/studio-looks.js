// What each kind of thing on the studio's map looks like.

/**
 * How to draw each kind of thing, in the style sheet's colors for light or dark.
 *
 * A fill shows a story's result on all walks, an outline its state at the moment.
 */
export const looksNow = () => {
  const looks = {};
  for (let i = 0; i < WALK_COLORS; i++) {
    const color = ink('walk-' + i);
    looks['other' + i] = { stroke: color, width: 1.8, alpha: .7, thins: true, arrows: true };
    looks['track' + i] = { stroke: color, width: 2.2, alpha: .8, arrows: true };
    looks['path' + i] = { stroke: color, width: 4, alpha: .9 };
    looks['here' + i] = { shape: 'disc', size: 6, stroke: ink('paper'), width: 2, fill: color };
  }
  const name = { font: '600 12px system-ui, sans-serif', ink: ink('ink'), halo: ink('paper') };
  return {
    ...looks,
    name,
    chosenName: { ...name, font: '700 13px system-ui, sans-serif' },
    gapName: name,
    untouched: { stroke: ink('never'), width: 1, alpha: .8, fill: ink('never'), fillAlpha: .12 },
    held: { stroke: ink('held'), width: 1.2, fill: ink('held'), fillAlpha: .4 },
    alerting: { stroke: ink('hit'), width: 1.2, fill: ink('hit'), fillAlpha: .5 },
    possible: { stroke: ink('some'), width: 1.2, fill: ink('some'), fillAlpha: .45 },
    lossy: { stroke: ink('miss'), width: 1.2, fill: ink('miss'), fillAlpha: .5 },
    point: { shape: 'disc', size: 2.4, fill: ink('ink'), stroke: ink('paper'), width: 1, quiet: true },
    changed: { stroke: ink('ink'), width: 2, dash: [2, 3] },
    ghost: { stroke: ink('soft'), width: 1, alpha: .6, dash: [2, 3] },
    heading: { stroke: ink('you'), width: 4 },
    ring: { stroke: ink('ring'), width: 2.2 },
    came: { stroke: ink('came'), width: 2.2 },
    went: { stroke: ink('soft'), width: 2.2, alpha: .8 },
    inside: { stroke: ink('ink'), width: 3 },
    unseen: { stroke: ink('miss'), width: 3.6 },
    safe: { stroke: ink('hit'), width: 1.2, alpha: .7, fill: ink('hit'), fillAlpha: .06 },
    next: { stroke: ink('you'), width: 1.2, alpha: .8, dash: [8, 5] },
    chosen: { stroke: ink('chosen'), width: 3 },
    suppressed: { shape: 'diamond', size: 4, cell: 5, stroke: ink('held'), width: 1.6, fill: ink('held-wash') },
    alert: { shape: 'disc', size: 5, cell: 5, stroke: ink('paper'), width: 1.5, fill: ink('hit') },
    late: { shape: 'triangle', size: 6, cell: 6, stroke: ink('paper'), width: 1.2, fill: ink('miss') },
    missed: { shape: 'cross', size: 5, cell: 6, stroke: ink('miss'), width: 3.2, halo: ink('paper') },
    here: { shape: 'disc', size: 8, stroke: ink('paper'), width: 3, fill: ink('you') },
    gap: { stroke: ink('ink'), width: 2, dash: [5, 4] },
    gapEnd: { shape: 'disc', size: 3.5, fill: ink('ink'), stroke: ink('paper'), width: 1.5, quiet: true },
    start: { shape: 'disc', size: 4.5, fill: ink('paper'), stroke: ink('ink'), width: 2, quiet: true },
    end: { shape: 'square', size: 4, fill: ink('ink'), stroke: ink('paper'), width: 1.5, quiet: true },
    arm: { stroke: ink('chosen'), width: 1.5, alpha: .8 },
    handle: { shape: 'square', size: 6, stroke: ink('paper'), width: 2, fill: ink('chosen') },
  };
};
