// The player of the time line.

/** Moves along a time line of milliseconds from `0` to `end`. */
export class Player {
  /** @param {() => void} onChange Called after the moment changes, or playing starts or stops. */
  constructor(onChange) {
    this.onChange = onChange;
    this.end = 0;
    this.now = 0;
    this.speed = 60;
    this.isPlaying = false;
  }

  /** Opens another time line of `end` milliseconds. */
  open(end, now = 0) {
    this.pause();
    this.end = end;
    this.now = Math.min(end, Math.max(0, now));
    this.onChange();
  }

  seek(t) {
    const now = Math.min(this.end, Math.max(0, t));
    if (now === this.now) return;
    this.now = now;
    this.onChange();
  }

  play() {
    if (this.isPlaying || this.end === 0) return;
    // At the end, start over.
    if (this.now >= this.end) this.now = 0;
    this.isPlaying = true;
    let last = null;
    const step = (time) => {
      if (!this.isPlaying) return;
      // A page that was hidden continues where it stopped.
      const elapsed = last === null ? 0 : Math.min(time - last, 250);
      last = time;
      this.now = Math.min(this.end, this.now + elapsed * this.speed);
      if (this.now >= this.end) this.isPlaying = false;
      this.onChange();
      if (this.isPlaying) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    this.onChange();
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onChange();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Goes to the next (1) or the previous (-1) of the moments, which must ascend. */
  step(moments, direction) {
    this.pause();
    if (!moments.length) return;
    // Half a millisecond of tolerance, so that rounding cannot stop the player.
    const next = direction > 0 ? moments.find((t) => t > this.now + .5) : moments.findLast((t) => t < this.now - .5);
    if (next !== undefined) this.seek(next);
  }
}
