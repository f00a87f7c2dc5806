// Drawing at the next frame, once, however much has changed.

/**
 * Sets up the frames.
 *
 * @param {() => void} draw Shows the page as it stands.
 */
export const openFrames = (draw) => {
  let isWaiting = false, whenDrawn = [];
  const tellAll = () => {
    for (const tell of whenDrawn.splice(0)) tell();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) tellAll();
  });
  return {
    /** Draws at the next frame. */
    showNow: () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        draw();
        tellAll();
      });
    },
    /**
     * A promise kept once the page is up to date, or once it is in the background, where nothing is drawn.
     */
    drawn: () => {
      if (!isWaiting || document.hidden) return Promise.resolve();
      return new Promise((resolve) => {
        whenDrawn.push(resolve);
      });
    },
  };
};
