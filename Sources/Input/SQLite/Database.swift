import FencepostCSpatiaLite

/// A connection to an SQLite database.
///
/// Several threads may call ``run(_:)``, which lets one in at a time. Use everything else inside it,
/// or where no other thread has the connection.
@safe
package final class Database: @unchecked Sendable {
  // Every `unsafe` of this type calls SQLite with handles that live as long as the connection. Each
  // call copies what it is passed or uses it only until it returns.

  /// How a file is opened.
  ///
  /// The mode stays the same as long as the connection is open.
  package enum Mode: Sendable {
    /// Reads an existing file.
    case readOnly
    /// Reads and writes a file, which is created if it does not exist.
    case create
    /// As the `mode` of the name, which is an SQLite URI.
    case uri
  }

  /// The name of the database in messages.
  package let name: String
  /// SQLite's connection, for its C interface; nil after ``close()``.
  package private(set) var handle: OpaquePointer?
  /// Recursive, so that ``run(_:)`` can be nested.
  private let lock: OpaquePointer?
  /// What ``executeAgain(_:_:)`` has compiled.
  private var compiled: [String: Statement] = [:]
  /// What ``restrict(to:)`` lets statements do; SQLite has a pointer to it.
  var limits: StatementLimits?

  /// Opens a database, with the path as its name in messages unless there is another.
  ///
  /// A statement waits so long for another connection's transaction. An exclusive connection keeps
  /// others out, and needs no shared memory. Of a foreign file, nothing runs that it says: no
  /// trigger, view or CHECK, and no function that is not SQLite's own; see ``plainTables()``.
  ///
  /// - Throws: ``SQLiteError``, also if the file is not a database.
  package init(
    path: String, name: String? = nil, mode: Mode = .create, lockWaitMilliseconds: Int = 0,
    isExclusive: Bool = false, isForeign: Bool = false
  ) throws(SQLiteError) {
    self.name = name ?? path
    let writing = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let flags =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .create: writing
      case .uri: writing | SQLITE_OPEN_URI
      }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    unsafe handle = opened
    unsafe lock = sqlite3_mutex_alloc(SQLITE_MUTEX_RECURSIVE)
    guard code == SQLITE_OK else { throw error(code) }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, Int32(clamping: lockWaitMilliseconds))
    if isForeign { try distrust() }
    if isExclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // SQLite looks at a file when it is first read.
    _ = try all("SELECT 1 FROM sqlite_master LIMIT 1") { _ in }
  }

  // MARK: Files of others

  /// The longest text, BLOB or row that is read of a foreign file.
  package static let mostForeignBytes = 16 << 20

  /// Sets what SQLite recommends for files of unknown origin ("Defense Against The Dark Arts").
  private func distrust() throws(SQLiteError) {
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, isOn: false)
    configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn: false)
    configure(SQLITE_DBCONFIG_ENABLE_VIEW, isOn: false)
    configure(SQLITE_DBCONFIG_DEFENSIVE, isOn: true)
    unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.mostForeignBytes))
    try execute("PRAGMA ignore_check_constraints = ON")
  }

  /// Switches an option of the connection, such as `SQLITE_DBCONFIG_DEFENSIVE`.
  package func configure(_ option: Int32, isOn: Bool) {
    unsafe _ = cspatialite_configure(handle, option, isOn ? 1 : 0)
  }

  /// The names of the tables whose values are stored, in lower case.
  ///
  /// What is left out computes what it holds: views, virtual tables, and tables with a generated
  /// column. SQLite opens no file in which an object's name or type differs from its definition.
  package func plainTables() throws(SQLiteError) -> Set<String> {
    Set(
      try all(
        """
        SELECT lower(name) FROM sqlite_schema AS t
        WHERE type = 'table' AND sql LIKE 'CREATE TABLE %' AND NOT EXISTS (
          SELECT 1 FROM pragma_table_xinfo(t.name, 'main') WHERE hidden <> 0)
        """
      ) { $0.string(0) })
  }

  deinit {
    // Statements may outlive the connection, which SQLite closes with the last of them.
    unsafe sqlite3_close_v2(handle)
    unsafe sqlite3_mutex_free(lock)
  }

  /// Closes the connection; later statements fail.
  ///
  /// - Throws: ``SQLiteError`` if a statement is still in use.
  package func close() throws(SQLiteError) {
    compiled = [:]
    let code = unsafe sqlite3_close(handle)
    guard code == SQLITE_OK else { throw error(code) }
    unsafe handle = nil
  }

  /// Runs work while no other thread uses the connection.
  package func run<Result, Failure>(
    _ body: (Database) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe sqlite3_mutex_enter(lock)
    defer { unsafe sqlite3_mutex_leave(lock) }
    return try body(self)
  }

  /// Runs a statement that is compiled once for the connection.
  package func executeAgain(
    _ sql: String, _ parameters: [SQLiteValue] = []
  ) throws(SQLiteError) {
    if compiled[sql] == nil { compiled[sql] = try Statement(sql, on: self) }
    guard let statement = compiled[sql] else { return }
    statement.bind(parameters[...])
    try statement.run()
  }

  /// The error of the connection's last call.
  package func error(_ code: Int32) -> SQLiteError {
    guard let handle = unsafe handle else {
      return SQLiteError(extendedCode: SQLITE_MISUSE, message: "the database is closed")
    }
    return SQLiteError(extendedCode: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
  }

  /// Runs statements separated by semicolons; each takes the first of the parameters that are left.
  package func execute(
    _ sql: String, _ parameters: [SQLiteValue] = []
  ) throws(SQLiteError) {
    var (rest, parameters) = (sql, parameters[...])
    while let statement = try Statement(next: &rest, on: self) {
      statement.bind(parameters.prefix(statement.parameterCount))
      parameters = parameters.dropFirst(statement.parameterCount)
      try statement.run()
    }
  }

  /// Reads all rows of a query, in the order of the query.
  ///
  /// - Throws: ``SQLiteError``.
  package func all<Value>(
    _ sql: String, _ parameters: [SQLiteValue] = [], _ read: (Statement) -> Value
  ) throws(SQLiteError) -> [Value] {
    let statement = try Statement(sql, on: self)
    statement.bind(parameters[...])
    var values: [Value] = []
    while try statement.step() { values.append(read(statement)) }
    return values
  }

  /// Reads the first row of a query; nil if it has no row.
  package func first<Value>(
    _ sql: String, _ parameters: [SQLiteValue] = [], _ read: (Statement) -> Value
  ) throws(SQLiteError) -> Value? {
    let statement = try Statement(sql, on: self)
    statement.bind(parameters[...])
    return try statement.step() ? read(statement) : nil
  }

  /// The first column of a query's first row; nil without a row, or if it is null.
  package func integer(
    _ sql: String, _ parameters: [SQLiteValue] = []
  ) throws(SQLiteError) -> Int? {
    try first(sql, parameters) { $0.isNull(0) ? nil : Int($0.integer(0)) } ?? nil
  }

  /// The first column of a query's first row as text; nil without a row, or if it is null.
  package func text(
    _ sql: String, _ parameters: [SQLiteValue] = []
  ) throws(SQLiteError) -> String? {
    try first(sql, parameters) { $0.isNull(0) ? nil : $0.string(0) } ?? nil
  }

  /// The first column of a query's first row as bytes; nil without a row, or if it is null.
  package func blob(
    _ sql: String, _ parameters: [SQLiteValue] = []
  ) throws(SQLiteError) -> [UInt8]? {
    try first(sql, parameters) { $0.isNull(0) ? nil : $0.blob(0) } ?? nil
  }

  // MARK: Transactions

  /// What a transaction locks when it begins.
  package enum Transaction: String, Sendable {
    /// Nothing, until the first statement.
    case deferred
    /// The database, against other writers.
    case immediate
  }

  /// Whether a transaction is open.
  ///
  /// SQLite may have rolled it back when a statement failed.
  package var isInTransaction: Bool {
    // The handle lives as long as the connection.
    unsafe sqlite3_get_autocommit(handle) == 0
  }

  /// Runs work in one transaction, rolled back if it throws.
  package func inTransaction<Result>(
    _ transaction: Transaction, _ body: () throws -> Result
  ) throws -> Result {
    try execute("BEGIN \(transaction)")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // The first error says more than one of the rollback.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}

/// A failure that SQLite reported.
///
/// Callers tell a full disk, a lock or a damaged file apart by ``code``.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package var extendedCode: Int32
  /// SQLite's message in English.
  package var message: String

  /// The primary result code, such as `SQLITE_BUSY`.
  package var code: Int32 { extendedCode & 0xff }

  /// Whether the disk had no room for the memory that connections share.
  package var ranOutOfSharedMemory: Bool { extendedCode == SQLITE_IOERR | 19 << 8 }

  /// SQLite's message, without the name of the file.
  package var description: String { message }
}
