// A long list of which only the rows in view are in the page.

/** How many rows beyond the view are kept, so that scrolling shows no gaps. */
const SPARE = 6;

export class RowList {
  /**
   * @param {HTMLElement} box The element that scrolls; its last child becomes the list.
   * @param {number} height The height of a row, in units of the text size.
   * @param {(row: object) => HTMLElement} make Makes a row; its first button can be focused.
   */
  constructor(box, height, make) {
    Object.assign(this, { box, height, make, rows: [], current: 0, from: 0, made: [] });
    this.list = element('div', undefined, 'rows');
    this.list.setAttribute('role', 'rowgroup');
    box.append(this.list);
    box.addEventListener('scroll', () => this.draw());
    box.addEventListener('keydown', (event) => this.press(event));
    new ResizeObserver(() => this.draw()).observe(box);
  }

  get pixels() {
    return this.height * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /** Shows other rows; `current` is the one that Tab reaches. */
  show(rows, current = this.current) {
    this.rows = rows;
    this.current = Math.min(Math.max(0, current), Math.max(0, rows.length - 1));
    this.list.style.height = `${rows.length * this.height}rem`;
    this.draw(true);
  }

  /** Makes the rows in view, unless they are there. */
  draw(isOld = false) {
    const { pixels } = this, top = Math.max(0, this.box.scrollTop - this.list.offsetTop);
    if (!this.box.clientHeight) return;
    const from = Math.max(0, Math.floor(top / pixels) - SPARE);
    const end = Math.min(this.rows.length, Math.ceil((top + this.box.clientHeight) / pixels) + SPARE);
    if (!isOld && from === this.from && end === this.end) return;
    const isFocused = this.list.contains(document.activeElement);
    Object.assign(this, { from, end });
    // The row that Tab reaches is always there.
    const numbers = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
    if (this.rows.length && (this.current < from || this.current >= end)) numbers.push(this.current);
    this.list.replaceChildren(...numbers.map((number) => this.row(number)));
    if (isFocused) this.focus();
  }

  row(number) {
    const made = this.make(this.rows[number]);
    made.setAttribute('role', 'row');
    made.setAttribute('aria-rowindex', String(number + 2));
    made.style.top = `${number * this.height}rem`;
    made.dataset.number = String(number);
    for (const button of made.querySelectorAll('button')) button.tabIndex = number === this.current ? 0 : -1;
    return made;
  }

  focus() {
    this.list.querySelector('button[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** Brings a row into view and makes it the one that Tab reaches. */
  reveal(number) {
    if (number < 0 || number >= this.rows.length) return;
    const { pixels, box } = this, top = this.list.offsetTop + number * pixels;
    const head = this.list.offsetTop;
    this.current = number;
    if (top - head < box.scrollTop || top + pixels > box.scrollTop + box.clientHeight) {
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    }
    this.draw(true);
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.pixels) - 1);
    const last = this.rows.length - 1;
    const next = {
      ArrowDown: this.current + 1,
      ArrowUp: this.current - 1,
      PageDown: this.current + page,
      PageUp: this.current - page,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || !this.list.contains(event.target)) {
      return;
    }
    event.preventDefault();
    this.reveal(Math.min(last, Math.max(0, next)));
    this.focus();
  }
}
