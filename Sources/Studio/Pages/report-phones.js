// The plots of simulated phones, each with a table beside it.

(() => {
  if (!phones.length) return;
  const quantiles = ['10 %', '25 %', '50 %', '75 %', '90 %'];
  const tidy = value => Math.round(value * 10) / 10;
  const draw = (kind, key, title, label, unit, ofValue) => {
    const usable = phones.filter(phone => phone[key].counts.some(Boolean));
    if (!usable.length) { $(kind + '-plot').closest('.plots').hidden = true; return; }
    const svg = frame(kind + '-plot', title + '; the table beside has the numbers.');
    const { from, to } = usable[0][key], spans = usable[0][key].counts.length;
    const shares = usable.map(phone => {
      const all = phone[key].counts.reduce((a, b) => a + b, 0);
      return phone[key].counts.map(n => n / all);
    });
    const most = Math.max(...shares.flat(), .01);
    const top = Math.ceil(most * 10) / 10;
    const place = share => box.bottom - share / top * (box.bottom - box.top);
    const ticks = [];
    for (let tenth = 0; tenth <= Math.round(top * 10); tenth++) ticks.push([tenth / 10, `${tenth * 10} %`]);
    vertical(svg, ticks, place, label);
    const across = value => box.left + (value - from) / (to - from) * (box.right - box.left);
    for (let i = 0; i <= 4; i++) {
      const value = from + (to - from) * i / 4;
      shape(svg, 'text', { x: across(value), y: 325, 'text-anchor': i === 4 ? 'end' : 'middle' },
        ofValue(value));
    }
    const width = (box.right - box.left) / spans;
    const list = element('ul', undefined, 'legend');
    usable.forEach((phone, index) => {
      const color = COLORS[index % COLORS.length], dash = DASHES[index % DASHES.length];
      if (usable.length === 1) {
        shares[0].forEach((share, span) => {
          if (!share) return;
          const bar = shape(svg, 'rect', { x: box.left + span * width + 1, y: place(share),
            width: width - 2, height: box.bottom - place(share), class: 'column' });
          shape(bar, 'title', {}, `${ofValue(from + (to - from) * span / spans)} on: ${(share * 100).toFixed(1)} %`);
        });
        return;
      }
      shape(svg, 'polyline', { fill: 'none', stroke: color, 'stroke-width': 2.2, 'stroke-dasharray': dash,
        points: shares[index].map((share, span) =>
          `${box.left + (span + .5) * width},${place(share)}`).join(' ') });
      const item = element('li'), line = document.createElementNS(SVG, 'svg');
      line.setAttribute('viewBox', '0 0 30 10');
      line.setAttribute('style', 'width:30px;border:0;display:inline');
      shape(line, 'line', { x1: 0, x2: 30, y1: 5, y2: 5, stroke: color, 'stroke-width': 3, 'stroke-dasharray': dash });
      item.append(line, ' ' + phone.name);
      list.append(item);
    });
    if (usable.length > 1) $(kind + '-plot').append(list);
    tableOf(kind + '-table', `${title}: so much of the alerts comes up to here, in ${unit}`,
      ['Profile', ...quantiles], usable.map(phone => [phone.name,
        ...phone[key].quantiles.map(value => value == null ? '–' : String(tidy(value)))]));
  };
  const minutes = seconds => Math.abs(seconds) < 120 ? `${Math.round(seconds)} s` : `${tidy(seconds / 60)} min`;
  draw('delay', 'delays', 'Delay of alerts', 'delay', 'seconds', minutes);
  draw('distance', 'distances', 'Distance of alerts from the edge',
    'metres from the edge, beyond it to the right', 'metres', value => `${Math.round(value)} m`);
})();
