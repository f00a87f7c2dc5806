// Keyboard shortcuts, and the tabs beside the map.

import { undo } from './studio-save.js';

const TABS = ['tab-stories', 'tab-now', 'tab-events', 'tab-story', 'tab-rules', ...isSent ? [] : ['tab-advice']];
let onChoose = () => {};

/** Shows a tab's panel. */
export const chooseTab = (id) => {
  for (const name of TABS) {
    const isChosen = name === id, tab = $(name);
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
  onChoose();
};

/** Makes the tabs work by click and arrow keys. `whenChosen` is called after each choice. */
export const wireTabs = (whenChosen) => {
  onChoose = whenChosen;
  TABS.forEach((name, index) => {
    $(name).addEventListener('click', () => chooseTab(name));
    $(name).addEventListener('keydown', (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      const next = TABS[(index + move + TABS.length) % TABS.length];
      chooseTab(next);
      $(next).focus();
    });
  });
};

/** Elements with their own use of the space bar. */
const HEEDFUL = 'input, select, textarea, button, dialog, abbr, [role=tab]';

/**
 * Space plays, Ctrl+Z undoes, Ctrl+Y redoes, Delete removes the chosen story, Escape clears the
 * choice.
 */
export const wireKeys = (app, hooks) =>
  addEventListener('keydown', (event) => {
    const isCommand = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
    const isText = event.target.closest?.('input:not([type=checkbox]), textarea') ?? null;
    if (isCommand && !isText && (key === 'z' || key === 'y')) {
      event.preventDefault();
      if (key === 'y' || event.shiftKey) app.edits.redo();
      else undo(app);
    } else if (event.key === ' ' && !event.target.closest?.(HEEDFUL)) {
      event.preventDefault();
      app.player.toggle();
    } else if (event.key === 'Delete' && app.chosen && event.target.closest?.('#map')) {
      $('remove')?.click();
    } else if (event.key === 'Escape' && app.chosen && !event.target.closest?.('dialog, input')) {
      hooks.choose(null);
    }
  });
