import FencepostCSpatiaLite
import Glibc

extension Database {
  /// Lets statements only read these tables, and only call functions whose cost their arguments bound.
  ///
  /// This also holds for the views that a statement names, and cannot be undone. Names are in lower
  /// case.
  package func restrict(to tables: Set<String>) {
    let limits = StatementLimits(tables: tables)
    self.limits = limits
    let context = unsafe Unmanaged.passUnretained(limits).toOpaque()
    // The connection keeps the limits. SQLite passes strings that live until the calls return.
    unsafe sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context = unsafe context else { return SQLITE_DENY }
        let limits = unsafe Unmanaged<StatementLimits>.fromOpaque(context).takeUnretainedValue()
        func text(_ string: UnsafePointer<CChar>?) -> String {
          unsafe string.map { unsafe String(cString: $0) } ?? ""
        }
        let isAllowed = unsafe limits.allows(action, text(first), text(second))
        return isAllowed ? SQLITE_OK : SQLITE_DENY
      }, context)
    unsafe sqlite3_progress_handler(
      handle, 100,
      { context in
        guard let context = unsafe context else { return 0 }
        let limits = unsafe Unmanaged<StatementLimits>.fromOpaque(context).takeUnretainedValue()
        return StatementLimits.now >= limits.end ? 1 : 0
      }, context)
  }

  /// Runs statements of a connection for at most so much time of the processor.
  ///
  /// What then runs throws an ``SQLiteError`` with `SQLITE_INTERRUPT`. Needs ``restrict(to:)``.
  package func within<Result, Failure>(
    seconds: Double, _ body: (Database) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run { database throws(Failure) in
      limits?.end = StatementLimits.now + seconds
      return try body(database)
    }
  }
}

/// What the statements of a connection may do.
///
/// SQLite asks it about each action of a statement that is compiled, and about the time while one
/// runs.
final class StatementLimits {
  /// The functions that take no longer than reading their arguments, and return nothing larger.
  private static let functions: Set = [
    "abs", "coalesce", "ifnull", "length", "max", "min", "nullif",
  ]

  /// The tables that may be read, in lower case.
  private let tables: Set<String>
  /// When statements end, on the processor's clock of the thread.
  var end = Double.infinity

  /// Allows reading these tables, for any time.
  init(tables: Set<String>) { self.tables = tables }

  /// Whether SQLite may compile an action, with names as for `sqlite3_set_authorizer`.
  func allows(_ action: Int32, _ first: String, _ second: String) -> Bool {
    switch action {
    case SQLITE_SELECT: true
    case SQLITE_READ: tables.contains(first.lowercased())
    case SQLITE_FUNCTION: Self.functions.contains(second.lowercased())
    default: false
    }
  }

  /// The time that the thread has used the processor, in seconds.
  static var now: Double {
    var time = timespec()
    // `time` is ours and of the size that the system expects.
    unsafe _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
