// The buttons above the map and below it.

import { openHistory } from './studio-history.js';
import { openExport, openSave, undo } from './studio-save.js';
import { postReport } from './studio-wire.js';

/** Opens the report on the stories and rules as they are now, in the tab of the report. */
const openReport = async (app, hooks) => {
  const question = app.question(), tab = open('', 'fencepost-report');
  if (!tab) return hooks.notify('The browser does not open the report. Allow this page to open tabs.');
  try {
    await postReport(question);
    // A new address for each question makes the browser load the report again.
    tab.location = `report?of=${question.number}`;
  } catch (error) {
    hooks.notify(error.message);
  }
};

/** Makes the buttons work. */
export const wireButtons = (app, hooks) => {
  $('undo').addEventListener('click', () => undo(app));
  $('redo').addEventListener('click', () => app.edits.redo());
  $('save').addEventListener('click', () => openSave(app, hooks));
  $('changes').addEventListener('click', () => openHistory(app, hooks));
  $('export').addEventListener('click', () => openExport(app));
  $('report').addEventListener('click', (event) => {
    event.preventDefault();
    openReport(app, hooks);
  });
  $('play').addEventListener('click', () => app.player.toggle());
  $('fix-back').addEventListener('click', () => hooks.step(-1, false));
  $('fix-next').addEventListener('click', () => hooks.step(1, false));
  $('event-back').addEventListener('click', () => hooks.step(-1, true));
  $('event-next').addEventListener('click', () => hooks.step(1, true));
  $('speed').addEventListener('change', () => {
    app.player.speed = Number($('speed').value);
  });
  $('track').addEventListener('change', () => hooks.chooseTrack(Number($('track').value)).then(() => app.stage.fit()));
  $('show-refreshes').addEventListener('change', hooks.renewEvents);
  $('add').addEventListener('click', () => {
    const middle = app.stage.map.getCenter(), six = (value) => Math.round(value * 1e6) / 1e6, id = app.edits.newID();
    app.edits.change('Add', [{
      id,
      after: {
        id,
        lat: six(middle.lat),
        lon: six(L.Util.wrapNum(middle.lng, [-180, 180], true)),
        radius: 100,
        title: 'New story',
      },
    }]);
    hooks.choose(id);
    // The next thing to do is to name it.
    const title = document.querySelector('#story [name=title]');
    title?.focus();
    title?.select();
  });
};
