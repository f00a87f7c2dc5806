// The engine in a page. Use what `load` returns in a worker: an answer takes the thread it runs on.

const NO_TIME = -(2n ** 63n);

// The C library asks a system for these, and needs no answer.
const NOTHING = () => 0;
const SYSTEM = {
  wasi_snapshot_preview1: {
    fd_close: NOTHING,
    fd_seek: NOTHING,
    fd_write: NOTHING,
    random_get: NOTHING,
  },
};

/** Loads the engine from the bytes of its module. */
async function load(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, SYSTEM);
  return new Engine(instance.exports);
}

class Engine {
  constructor(exports) {
    this.exports = exports;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
  }

  /** The studio's answers about a scene, given as its JSON. */
  studio(scene) {
    return new Studio(this, scene);
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
      column('time', BigInt64Array, (time) => (time == null || Number.isNaN(time) ? NO_TIME : BigInt(time))),
      column('lat', Float64Array, number),
      column('lon', Float64Array, number),
      column('accuracy', Float32Array, number),
      column('speed', Float32Array, number),
      column('segment', Int32Array, (segment) => segment ?? 0),
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
    const start = this.exports.fencepost_message(), length = this.exports.fencepost_message_length();
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

  /**
   * Appends a track. `fixes` has columns: `time` in milliseconds since 1970, `lat` and `lon` in
   * degrees, and perhaps `accuracy` in meters, `speed` in meters per second and `segment`. A value
   * that is null or NaN is unknown.
   */
  track(name, fixes) {
    const columns = this.engine.columns(fixes);
    this.engine.handle((pass) => {
      this.exports.fencepost_studio_track(this.scene, ...pass(name), fixes.lat.length, ...columns);
      return true;
    });
    columns.forEach((column) => this.exports.fencepost_free(column));
  }

  /** The answer to a question as JSON. Throws the engine's sentence about a refusal. */
  ask(path, question = '') {
    this.engine.handle((pass) => this.exports.fencepost_studio_ask(this.scene, ...pass(path), ...pass(question)));
    return this.engine.message();
  }

  /** Forgets the scene with its tracks. */
  close() {
    this.exports.fencepost_studio_destroy(this.scene);
  }
}
