// Keys of the whole page, and the tabs beside the map.

const TABS = ['tab-now', 'tab-events', 'tab-story', 'tab-rules', 'tab-advice'];
let onChoose = () => {};

/** Shows the panel of a tab. */
export const chooseTab = id => {
  for (const name of TABS) {
    const isChosen = name === id, tab = $(name);
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
  onChoose();
};

/** Lets the tabs be chosen by click and by arrow keys; `whenChosen` is called after each choice. */
export const wireTabs = whenChosen => {
  onChoose = whenChosen;
  TABS.forEach((name, index) => {
    $(name).addEventListener('click', () => chooseTab(name));
    $(name).addEventListener('keydown', event => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      const next = TABS[(index + move + TABS.length) % TABS.length];
      chooseTab(next);
      $(next).focus();
    });
  });
};

/** Elements that do something of their own with the space bar. */
const HEEDFUL = 'input, select, textarea, button, dialog, abbr, [role=tab]';

/** Play by the space bar, undo and redo, removal of the chosen story, and the way out of it. */
export const wireKeys = (app, hooks) => addEventListener('keydown', event => {
  const isCommand = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
  const isText = event.target.closest?.('input:not([type=checkbox]), textarea') ?? null;
  if (isCommand && !isText && (key === 'z' || key === 'y')) {
    event.preventDefault();
    if (key === 'y' || event.shiftKey) app.edits.redo(); else app.edits.undo();
  } else if (event.key === ' ' && !event.target.closest?.(HEEDFUL)) {
    event.preventDefault();
    app.player.toggle();
  } else if (event.key === 'Delete' && app.chosen && event.target.closest?.('#map')) {
    $('remove')?.click();
  } else if (event.key === 'Escape' && app.chosen && !event.target.closest?.('dialog, input')) {
    hooks.choose(null);
  }
});
