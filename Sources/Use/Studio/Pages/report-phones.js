// Plots of simulated phones, each with its table.

(() => {
  if (!phones.length) return;
  phones.forEach((phone, index) => $(`dots-${index}`)?.append(phoneDots(phone.dots)));
  const quantiles = ['10 %', '25 %', '50 %', '75 %', '90 %'];
  const tidy = (value) => Math.round(value * 10) / 10;
  const draw = (kind, key, title, label, unit, ofValue) => {
    const usable = phones.filter((phone) => phone[key].counts.some(Boolean));
    if (!usable.length) {
      $(kind + '-plot').closest('.plots').hidden = true;
      return;
    }
    const { from, to } = usable[0][key], spans = usable[0][key].counts.length;
    const shares = usable.map((phone) => {
      const all = phone[key].counts.reduce((a, b) => a + b, 0);
      return phone[key].counts.map((n) => n / all);
    });
    const step = Math.max(.05, niceStep(Math.max(...shares.flat(), .01), 5));
    addPlot($(kind + '-plot'), title + '. The table beside it has the numbers.', 320, (svg, box) => {
      const ticks = [];
      for (let value = 0; value < Math.max(...shares.flat()) + step; value += step) {
        ticks.push([value, `${Math.round(value * 100)} %`]);
      }
      const place = (share) => box.bottom - share / ticks.at(-1)[0] * (box.bottom - box.top);
      axes(svg, box, ticks, place, label);
      const across = (value) => box.left + (value - from) / (to - from) * (box.right - box.left);
      const parts = box.right - box.left > 420 ? 4 : 3;
      for (let i = 0; i <= parts; i++) {
        const value = from + (to - from) * i / parts;
        shape(
          svg,
          'text',
          { x: across(value), y: box.bottom + 17, 'text-anchor': i === parts ? 'end' : 'middle' },
          ofValue(value),
        );
      }
      const width = (box.right - box.left) / spans;
      if (usable.length === 1) {
        shares[0].forEach((share, number) => {
          if (!share) return;
          const bar = shape(svg, 'rect', {
            x: box.left + number * width + 1,
            y: place(share),
            width: width - 2,
            height: box.bottom - place(share),
            class: 'column',
          });
          shape(
            bar,
            'title',
            {},
            `from ${ofValue(from + (to - from) * number / spans)}: ${(share * 100).toFixed(1)} %`,
          );
        });
        return;
      }
      shares.forEach((own, index) =>
        shape(svg, 'polyline', {
          class: `series series-${index % SERIES}`,
          'stroke-dasharray': DASHES[index % DASHES.length],
          points: own.map((share, number) => `${box.left + (number + .5) * width},${place(share)}`).join(' '),
        })
      );
    });
    if (usable.length > 1) {
      const list = element('ul', undefined, 'legend');
      list.append(...usable.map((phone, index) => lineKey(index, phone.name)));
      $(kind + '-plot').append(list);
    }
    tableOf(
      $(kind + '-table'),
      `${title} in ${unit} (percentiles)`,
      ['Profile', ...quantiles],
      usable.map(
        (phone) => [phone.name, ...phone[key].quantiles.map((value) => value == null ? '–' : String(tidy(value)))],
      ),
    );
  };
  const minutes = (seconds) => Math.abs(seconds) < 120 ? `${Math.round(seconds)} s` : `${tidy(seconds / 60)} min`;
  draw('delay', 'delays', 'Delay of alerts', 'delay', 'seconds', minutes);
  draw(
    'distance',
    'distances',
    'Distance of alerts from the edge',
    'meters from the edge; outside to the right',
    'meters',
    (value) => `${Math.round(value)} m`,
  );
})();
