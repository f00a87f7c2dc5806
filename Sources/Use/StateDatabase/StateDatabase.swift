import FencepostCSpatiaLite
import FencepostSQLite
public import FencepostStateFile

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A small file of documents that survives crashes and power failures.
///
/// It is an SQLite database. When ``update(_:)`` returns, the change is on disk; when it throws,
/// nothing has changed. A document has a kind, an id that is unique within the kind, and a body.
///
/// Opening the file removes other users' permissions. A file that is damaged, belongs to another
/// program, or was written by a newer version is never changed.
public final class StateDatabase: Sendable {
  /// The failures that a completed change survives.
  ///
  /// Waiting for the disk takes most of the time of a change.
  public enum Durability: Sendable {
    /// A power failure: every change waits for the disk.
    case powerFailure
    /// A crash or kill of the program. A power failure can lose the last changes but does not
    /// damage the file.
    case crash
  }

  /// The path passed to the initializer.
  public let path: String
  private let database: Database

  private static let version = 1
  /// The SQLite application id: "FPST" in ASCII.
  private static let applicationID = 0x4650_5354

  /// Opens the file, or creates an empty one.
  ///
  /// - Parameters:
  ///   - path: The file. Its directory must exist.
  ///   - waitSeconds: How long to wait while another program holds the file.
  ///   - durability: The failures that a completed change survives.
  ///   - opensOnFullDisk: Whether to open an existing file when SQLite has no disk space for its
  ///     shared memory. Other programs then find the file locked until it is closed.
  /// - Throws: ``StateFileError``.
  public init(
    path: String, waitSeconds: Double = 2, durability: Durability = .powerFailure,
    opensOnFullDisk: Bool = false
  ) throws(StateFileError) {
    self.path = path
    try Self.checkPlace(path)
    // SQLite's busy timeout does not cover a change of journal mode or a recovery, which can happen
    // just after another program was killed.
    let end = ContinuousClock.now.advanced(by: .seconds(waitSeconds))
    var isExclusive = false
    Self.makePrivate(path)
    while true {
      do {
        database = try Self.open(
          path, lockWaitMilliseconds: Int(waitSeconds * 1000), isExclusive: isExclusive, durability)
        Self.narrowPermissions(path)
        return
      } catch {
        let failure = Self.error(error, path: path)
        if failure.code == .diskFull, opensOnFullDisk, !isExclusive {
          isExclusive = true
          continue
        }
        guard failure.code == .locked, ContinuousClock.now < end else { throw failure }
        usleep(10_000)
      }
    }
  }

  private static func open(
    _ path: String, lockWaitMilliseconds: Int, isExclusive: Bool, _ durability: Durability
  ) throws -> Database {
    let database = try Database(
      path: path, lockWaitMilliseconds: lockWaitMilliseconds, isExclusive: isExclusive)
    // A transaction, because another program may be creating the file.
    try database.inTransaction(.deferred) { try check(database, path) }
    // A session fills a page of this size, and smaller changes cost no more than with smaller ones;
    // an existing file keeps its page size. A checkpoint comes long before the log reaches 1 MiB,
    // and a large log is truncated to that size.
    try database.execute(
      """
      PRAGMA page_size = 2048; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(durability == .crash ? "NORMAL" : "FULL");
      PRAGMA journal_size_limit = 1048576
      """)
    let pageBytes = try database.integer("PRAGMA page_size") ?? 2048
    try database.execute("PRAGMA wal_autocheckpoint = \(600 * 1024 / pageBytes)")
    // A separate transaction, because another program may have created the table meanwhile.
    try database.inTransaction(.immediate) {
      if try database.integer("PRAGMA application_id") == applicationID { return }
      try database.execute(
        """
        CREATE TABLE documents (
          kind TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version)
        """)
    }
    return database
  }

  /// Checks the owner, version and integrity of the file before anything is written.
  private static func check(_ database: Database, _ path: String) throws {
    func number(_ sql: String) throws -> Int { try database.integer(sql) ?? 0 }
    let id = try number("PRAGMA application_id")
    let isEmpty = try number("SELECT count(*) FROM sqlite_master") == 0
    guard id == applicationID || (isEmpty && id == 0) else {
      throw StateFileError(code: .notStateFile, subject: path)
    }
    let version = try number("PRAGMA user_version")
    guard version <= Self.version else {
      throw StateFileError(code: .newerVersion, subject: path, detail: "version \(version)")
    }
    let answer = try database.text("PRAGMA quick_check") ?? "no answer"
    guard answer == "ok" else {
      throw StateFileError(code: .damaged, subject: path, detail: answer)
    }
  }

  /// Closes the file; later calls fail.
  public func close() throws(StateFileError) {
    do {
      try database.close()
    } catch {
      throw Self.error(error, path: path)
    }
  }

  /// Reads and changes documents in one transaction.
  ///
  /// - Parameter body: Makes the changes. If it throws, nothing changes.
  /// - Returns: The result of `body`, once the change is on disk.
  /// - Throws: The error of `body`, or ``StateFileError`` if the file fails.
  public func update<Result>(_ body: (StateTransaction) throws -> Result) throws -> Result {
    do {
      return try database.run { database in
        try database.inTransaction(.immediate) { try body(StateTransaction(database: database)) }
      }
    } catch let error as SQLiteError {
      throw Self.error(error, path: path)
    }
  }

  /// The body of a document, or nil if it does not exist.
  public func body(kind: String, id: String) throws(StateFileError) -> Data? {
    do {
      return try update { try $0.body(kind: kind, id: id) }
    } catch {
      throw Self.error(error, path: path)
    }
  }

  /// Rejects a bad path here, because SQLite would only say that it cannot open the file.
  private static func checkPlace(_ path: String) throws(StateFileError) {
    func isDirectory(_ path: String) -> Bool {
      var status = stat()
      // `status` has the size the system expects, and the call keeps no pointer.
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    guard isDirectory(URL(fileURLWithPath: path).deletingLastPathComponent().path) else {
      throw StateFileError(code: .missingDirectory, subject: path)
    }
    if isDirectory(path) { throw StateFileError(code: .isDirectory, subject: path) }
  }

  private static func error(_ error: any Error, path: String) -> StateFileError {
    if let error = error as? StateFileError { return error }
    guard let error = error as? SQLiteError else {
      return StateFileError(code: .inputOutput, subject: path, detail: "\(error)")
    }
    let code: StateFileError.Code =
      switch error.code {
      case SQLITE_NOTADB, SQLITE_CORRUPT: .damaged
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly
      case SQLITE_FULL: .diskFull
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_IOERR where error.ranOutOfSharedMemory: .diskFull
      default: .inputOutput
      }
    return StateFileError(code: code, subject: path, detail: error.message)
  }

  // MARK: A state file is its owner's alone, since it shows where somebody was.

  /// Creates an empty private file if none exists; SQLite reports any failure.
  ///
  /// SQLite would apply the umask, and copies the permissions to the files next to it. `mknod`
  /// opens nothing: closing a descriptor of the file would drop this program's locks on it.
  private static func makePrivate(_ path: String) {
    // `mknod` does not keep the pointer to the path.
    _ = unsafe mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0)
  }

  /// Removes other users' permissions on the file and on SQLite's files, if we own them.
  private static func narrowPermissions(_ path: String) {
    let whole = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    for name in [whole] + ["-wal", "-shm", "-journal"].map({ whole + $0 }) {
      var status = stat()
      // `status` has the size the system expects, and no call keeps the pointers.
      guard unsafe stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mode & (S_IRWXG | S_IRWXO) != 0
      else { continue }
      _ = unsafe chmod(name, status.st_mode & S_IRWXU)
    }
  }
}

/// The documents of a state file during one transaction.
///
/// Do not keep it longer. ``StateDatabase/update(_:)`` turns database errors into `StateFileError`.
public struct StateTransaction {
  let database: Database

  /// The body of a document, or nil if it does not exist.
  public func body(kind: String, id: String) throws -> Data? {
    try database.blob(
      "SELECT body FROM documents WHERE kind = ? AND id = ?", [.text(kind), .text(id)]
    ).map { Data($0) }
  }

  /// The ids of all documents of a kind, sorted.
  package func ids(kind: String) throws -> [String] {
    try database.all("SELECT id FROM documents WHERE kind = ? ORDER BY id", [.text(kind)]) {
      $0.string(0)
    }
  }

  /// The kinds of all documents, sorted.
  package func kinds() throws -> [String] {
    try database.all("SELECT DISTINCT kind FROM documents ORDER BY kind") { $0.string(0) }
  }

  /// Writes a document, replacing one with the same kind and id.
  public func put(kind: String, id: String, body: Data) throws {
    try database.executeAgain(
      """
      INSERT INTO documents (kind, id, body) VALUES (?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body
      """,
      [.text(kind), .text(id), .blob(Array(body))])
  }

  /// Removes a document if it exists.
  package func remove(kind: String, id: String) throws {
    try database.executeAgain(
      "DELETE FROM documents WHERE kind = ? AND id = ?", [.text(kind), .text(id)])
  }

  /// Removes all documents of a kind.
  package func removeAll(kind: String) throws {
    try database.executeAgain("DELETE FROM documents WHERE kind = ?", [.text(kind)])
  }

  /// Decodes a document from JSON, or returns nil if it does not exist.
  ///
  /// - Throws: A database error, or the error that decoding throws.
  public func value<Value: Decodable>(
    _ type: Value.Type, kind: String, id: String
  ) throws -> Value? {
    try body(kind: kind, id: id).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Writes a value as JSON; equal values give equal bytes.
  public func put(kind: String, id: String, value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try put(kind: kind, id: id, body: try encoder.encode(value))
  }
}

extension StateFileStore {
  /// Keeps a scheduler's state as one document of a database.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - id: The document's id. Give each scheduler in the file a different one.
  ///   - waitSeconds: How long an update waits for other schedulers. After that it throws
  ///     `StateFileError` with `.locked` and changes nothing.
  public init(database: StateDatabase, id: String = "default", waitSeconds: Double = 5) {
    self.init(
      path: database.path, waitSeconds: waitSeconds,
      read: { try database.body(kind: "scheduler", id: id) },
      write: { body in try database.update { try $0.put(kind: "scheduler", id: id, body: body) } })
  }

  /// Creates the same as the initializer with the label `database`.
  @available(*, deprecated, renamed: "init(database:id:waitSeconds:)")
  public init(_ file: StateDatabase, id: String = "default", waitSeconds: Double = 5) {
    self.init(database: file, id: id, waitSeconds: waitSeconds)
  }
}
