// The engine in a page: places, rules and fixes in, lines of events out, byte for byte those of the
// program. Import `load`, and use what it returns in a worker: a replay takes the thread it runs on.

/** The bits of `events`, as the engine numbers them. */
export const EVENTS = {
  alert: 1, suppressed: 2, enter: 4, exit: 8, refresh: 16, summary: 32, reminder: 64, dwell: 128,
};

const NO_TIME = -(2n ** 63n);

// The C library asks a system for these, and needs no answer.
const NOTHING = () => 0;
const SYSTEM = {
  wasi_snapshot_preview1: {
    fd_close: NOTHING, fd_seek: NOTHING, fd_write: NOTHING, random_get: NOTHING,
  },
};

/** Loads the engine from the bytes of its module, or from the response to a request for them. */
export async function load(source) {
  const { instance } =
    source instanceof ArrayBuffer || ArrayBuffer.isView(source)
      ? await WebAssembly.instantiate(source, SYSTEM)
      : await WebAssembly.instantiateStreaming(source, SYSTEM);
  return new Engine(instance.exports);
}

function slice(fixes, from, to) {
  const parts = Object.entries(fixes).map(([name, values]) => [name, values?.slice(from, to)]);
  return Object.fromEntries(parts);
}

class Engine {
  constructor(exports) {
    this.exports = exports;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
  }

  /** Keeps places for replays: an array, or its JSON. Throws the engine's sentence about a mistake. */
  places(places) {
    const json = typeof places === "string" ? places : JSON.stringify(places);
    return this.handle((pass) => this.exports.fencepost_places_create(...pass(json)));
  }

  /** Forgets places that no replay needs any more. */
  forget(places) {
    this.exports.fencepost_places_destroy(places);
  }

  /**
   * Replays a whole track, or one whose places change on the way, and returns the lines of its
   * events. Each of `edits` has other places, and the index of the fix after which they count.
   *
   * `rules` is what `fencepost rules --format json` prints. `fixes` has columns: `time` in
   * milliseconds since 1970, `lat` and `lon` in degrees, and perhaps `accuracy` in meters, `speed`
   * in meters per second and `segment`. A value that is null or NaN is unknown.
   */
  replay(places, rules, name, fixes, events = 255, countsMisses = false, edits = []) {
    const session = this.handle((pass) =>
      this.exports.fencepost_session_create(
        places, ...pass(rules), ...pass(name), events, edits.length === 0, countsMisses));
    try {
      let lines = "";
      let next = 0;
      for (const { afterFix, places } of [...edits, { afterFix: fixes.lat.length - 1 }]) {
        lines += this.feed(session, slice(fixes, next, afterFix + 1));
        next = afterFix + 1;
        if (places) {
          this.handle(() => this.exports.fencepost_session_replace(session, places));
          lines += this.lines(session);
        }
      }
      this.exports.fencepost_session_finish(session);
      return lines + this.lines(session);
    } finally {
      this.exports.fencepost_session_destroy(session);
    }
  }

  /** The studio's answers about a scene, given as its JSON. */
  studio(scene) {
    return new Studio(this, scene);
  }

  feed(session, fixes) {
    const columns = this.columns(fixes);
    this.exports.fencepost_session_feed(session, fixes.lat.length, ...columns);
    columns.forEach((column) => this.exports.fencepost_free(column));
    return this.lines(session);
  }

  /** Takes the rules of a named zone: the bytes of a file of the time zone database. */
  zone(name, bytes) {
    const starts = [this.encoder.encode(name), bytes].map((one) => [this.copy(one), one.length]);
    const isTaken = this.exports.fencepost_zone(...starts.flat());
    starts.forEach(([start]) => this.exports.fencepost_free(start));
    if (!isTaken) throw new Error(`the rules of ${name} cannot be read`);
  }

  /** The places of the columns in the engine's memory. */
  columns(fixes) {
    const none = new Array(fixes.lat.length).fill(null);
    const number = (value) => value ?? NaN;
    const column = (name, kind, value) => this.copy(kind.from(fixes[name] ?? none, value));
    return [
      column("time", BigInt64Array, (time) => (time == null || Number.isNaN(time) ? NO_TIME : BigInt(time))),
      column("lat", Float64Array, number),
      column("lon", Float64Array, number),
      column("accuracy", Float32Array, number),
      column("speed", Float32Array, number),
      column("segment", Int32Array, (segment) => segment ?? 0),
    ];
  }

  copy(array) {
    const start = this.exports.fencepost_allocate(array.byteLength);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(this.exports.memory.buffer).set(bytes, start);
    return start;
  }

  /** Calls with texts, each passed as its start and its length; 0 is a refusal. */
  handle(call) {
    const starts = [];
    const handle = call((text) => {
      const bytes = this.encoder.encode(text);
      starts.push(this.copy(bytes));
      return [starts.at(-1), bytes.length];
    });
    starts.forEach((start) => this.exports.fencepost_free(start));
    if (handle) return handle;
    throw new Error(this.message());
  }

  /** The text that the last call left: an answer, or the sentence of a refusal. */
  message() {
    return this.text(this.exports.fencepost_message(), this.exports.fencepost_message_length());
  }

  lines(session) {
    return this.text(
      this.exports.fencepost_session_events(session),
      this.exports.fencepost_session_events_length(session));
  }

  text(start, length) {
    return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, start, length));
  }
}

/** What the studio's page asks about tracks, places and rules. */
class Studio {
  constructor(engine, scene) {
    this.engine = engine;
    this.exports = engine.exports;
    this.scene = engine.handle((pass) => this.exports.fencepost_studio_create(...pass(scene)));
  }

  /** Appends a track with columns as in `replay`. */
  track(name, fixes) {
    const columns = this.engine.columns(fixes);
    this.engine.handle((pass) => {
      this.exports.fencepost_studio_track(this.scene, ...pass(name), fixes.lat.length, ...columns);
      return true;
    });
    columns.forEach((column) => this.exports.fencepost_free(column));
  }

  /** The answer to a question as JSON. Throws the engine's sentence about a refusal. */
  ask(path, question = "") {
    this.engine.handle((pass) =>
      this.exports.fencepost_studio_ask(this.scene, ...pass(path), ...pass(question)));
    return this.engine.message();
  }

  /** Forgets the scene with its tracks. */
  close() {
    this.exports.fencepost_studio_destroy(this.scene);
  }
}
