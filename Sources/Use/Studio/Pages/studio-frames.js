// Drawing at the next frame, once, however much has changed.

/**
 * Sets up the frames.
 *
 * @param {() => void} draw Shows the page as it stands.
 */
export const openFrames = (draw) => {
  let isWaiting = false, whenDrawn = [];
  return {
    /** Draws at the next frame. */
    showNow: () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        draw();
        for (const tell of whenDrawn.splice(0)) tell();
      });
    },
    /**
     * A promise kept once the page is up to date. A page in the background draws nothing, so there it is kept at once.
     */
    drawn: () => {
      if (!isWaiting || document.hidden) return Promise.resolve();
      return new Promise((resolve) => {
        whenDrawn.push(resolve);
      });
    },
  };
};
