public import Foundation
import GRDB
public import FencepostStateFile

/// A small file of documents that survives crashes and power failures.
///
/// It is an SQLite database with a write-ahead log that is synchronised at every commit: when ``update(_:)``
/// returns, the change is on the disk; when it throws, nothing has changed. A document has a kind, an id
/// within the kind, and a body of bytes.
///
/// Only its owner may read or write the file and SQLite's files next to it; opening it takes away the
/// permissions of others. A file that is damaged, of another program or of a newer version is never
/// written to.
public final class StateDatabase: Sendable {
  /// What a completed change survives.
  public enum Durability: Sendable {
    /// A power failure: every change waits for the disk.
    case powerFailure
    /// The end of the program, even a kill; a power failure may lose the last changes, but does not damage
    /// the file.
    case crash
  }

  /// The path as given.
  public let path: String
  private let database: DatabaseQueue

  /// The version of the file format that this program writes.
  private static let version = 1
  /// The mark of a state file: "FPST" in ASCII.
  private static let applicationID = 0x4650_5354

  /// Opens the file, or makes an empty one if it does not exist.
  ///
  /// - Parameters:
  ///   - path: Where the file is or will be; its directory must exist.
  ///   - waitSeconds: How long to wait for another program that holds the file.
  ///   - durability: What a completed change survives.
  ///   - opensOnFullDisk: Whether to open an existing file even without disk space for the memory that
  ///     SQLite shares with other readers; these find it locked until it is closed.
  /// - Throws: ``StateFileError``
  public init(
    path: String, waitSeconds: Double = 2, durability: Durability = .powerFailure,
    opensOnFullDisk: Bool = false
  ) throws(StateFileError) {
    self.path = path
    try Self.checkPlace(path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(waitSeconds)
    configuration.label = "StateDatabase"
    // SQLite does not wait for a change of the journal mode or a recovery, as just after another program
    // was killed.
    let end = ContinuousClock.now.advanced(by: .seconds(waitSeconds))
    var isExclusive = false
    Self.makePrivate(path)
    while true {
      do {
        database = try Self.open(path, configuration, durability)
        Self.narrowPermissions(path)
        return
      } catch {
        let failure = Self.error(error, path: path)
        if failure.code == .diskFull, opensOnFullDisk, !isExclusive {
          isExclusive = true
          configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
          continue
        }
        guard failure.code == .locked, ContinuousClock.now < end else { throw failure }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  private static func open(
    _ path: String, _ configuration: Configuration, _ durability: Durability
  ) throws -> DatabaseQueue {
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.inDatabase { database in
      // In one transaction: another program may be making the file.
      try database.inTransaction(.deferred) {
        try check(database, path)
        return .commit
      }
      // Small pages, because most changes are small; a file keeps the size that it was made with. The log
      // is folded in long before it reaches 1 MiB, and cut to that after a large change.
      try database.execute(
        sql: """
          PRAGMA page_size = 512; PRAGMA journal_mode = WAL;
          PRAGMA synchronous = \(durability == .crash ? "NORMAL" : "FULL");
          PRAGMA wal_autocheckpoint = 240; PRAGMA journal_size_limit = 1048576
          """)
    }
    // In its own transaction, since another program may have made the table meanwhile.
    try database.write {
      if try Int.fetchOne($0, sql: "PRAGMA application_id") == applicationID { return }
      try $0.execute(
        sql: """
          CREATE TABLE documents (
            kind TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id)
          ) WITHOUT ROWID;
          PRAGMA application_id = \(applicationID);
          PRAGMA user_version = \(version)
          """)
    }
    return database
  }

  /// Checks, before anything is written, whose file it is, its version, and whether it is sound.
  private static func check(_ database: Database, _ path: String) throws {
    func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
    let id = try number("PRAGMA application_id")
    let isEmpty = try number("SELECT count(*) FROM sqlite_master") == 0
    guard id == applicationID || (isEmpty && id == 0) else {
      throw StateFileError(code: .notStateFile, subject: path)
    }
    let version = try number("PRAGMA user_version")
    guard version <= Self.version else {
      throw StateFileError(code: .newerVersion, subject: path, detail: "version \(version)")
    }
    let answer = try String.fetchOne(database, sql: "PRAGMA quick_check") ?? "no answer"
    guard answer == "ok" else {
      throw StateFileError(code: .damaged, subject: path, detail: answer)
    }
  }

  /// Closes the file; using it afterwards fails.
  public func close() throws(StateFileError) {
    do {
      try database.close()
    } catch {
      throw Self.error(error, path: path)
    }
  }

  /// Reads and changes documents in one transaction.
  ///
  /// - Parameter body: The changes; if it throws, nothing changes.
  /// - Returns: What the body returns, once the change is on the disk.
  /// - Throws: What the body throws, and ``StateFileError`` for faults of the file.
  public func update<Result>(_ body: (StateTransaction) throws -> Result) throws -> Result {
    do {
      return try database.write { try body(StateTransaction(database: $0)) }
    } catch let error as DatabaseError {
      throw Self.error(error, path: path)
    }
  }

  /// The body of a document, nil if it does not exist.
  ///
  /// - Throws: ``StateFileError``
  public func body(kind: String, id: String) throws(StateFileError) -> Data? {
    do {
      return try update { try $0.body(kind: kind, id: id) }
    } catch {
      throw Self.error(error, path: path)
    }
  }

  /// Refuses a path without a directory, or of one: SQLite would only say that it cannot open the file.
  private static func checkPlace(_ path: String) throws(StateFileError) {
    func isDirectory(_ path: String) -> Bool {
      var isDirectory: ObjCBool = false
      // The pointer to the flag does not outlive the call.
      let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      return exists && isDirectory.boolValue
    }
    guard isDirectory(URL(fileURLWithPath: path).deletingLastPathComponent().path) else {
      throw StateFileError(code: .missingDirectory, subject: path)
    }
    if isDirectory(path) { throw StateFileError(code: .isDirectory, subject: path) }
  }

  private static func error(_ error: any Error, path: String) -> StateFileError {
    if let error = error as? StateFileError { return error }
    guard let error = error as? DatabaseError else {
      return StateFileError(code: .inputOutput, subject: path, detail: "\(error)")
    }
    let code: StateFileError.Code =
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly
      case .SQLITE_FULL: .diskFull
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
      // For the memory that SQLite shares with other readers.
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .diskFull
      default: .inputOutput
      }
    return StateFileError(
      code: code, subject: path, detail: error.message ?? "\(error.resultCode)")
  }

  // MARK: A state file is its owner's alone, since it shows where somebody was.

  /// Makes an empty private file if it does not exist; a failure is left to SQLite to report.
  ///
  /// SQLite would use the permissions that the umask leaves, and gives those of the file to its files next
  /// to it. Nothing is opened: the system drops a program's locks on a file when any of its descriptors is
  /// closed.
  private static func makePrivate(_ path: String) {
    // The path outlives the call.
    _ = unsafe mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0)
  }

  /// Takes away the permissions of others on the file and SQLite's files next to it, unless somebody else
  /// owns them.
  private static func narrowPermissions(_ path: String) {
    let whole = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    for name in [whole] + ["-wal", "-shm", "-journal"].map({ whole + $0 }) {
      var status = stat()
      // `status` is ours and has the size the system expects; the name outlives the calls.
      guard unsafe stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mode & (S_IRWXG | S_IRWXO) != 0
      else { continue }
      _ = unsafe chmod(name, status.st_mode & S_IRWXU)
    }
  }
}

/// The documents of a state file during one transaction; do not keep it longer.
///
/// ``StateDatabase/update(_:)`` turns the database's errors into `StateFileError`.
public struct StateTransaction {
  let database: Database

  /// The body of a document, nil if it does not exist.
  public func body(kind: String, id: String) throws -> Data? {
    try Data.fetchOne(
      database, sql: "SELECT body FROM documents WHERE kind = ? AND id = ?",
      arguments: [kind, id])
  }

  /// The ids of all documents of a kind, in order.
  public func ids(kind: String) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT id FROM documents WHERE kind = ? ORDER BY id", arguments: [kind])
  }

  /// The kinds of all documents, in order.
  public func kinds() throws -> [String] {
    try String.fetchAll(database, sql: "SELECT DISTINCT kind FROM documents ORDER BY kind")
  }

  /// Writes a document, replacing one with the same kind and id.
  public func put(kind: String, id: String, body: Data) throws {
    try database.execute(
      sql: """
        INSERT INTO documents (kind, id, body) VALUES (?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body
        """,
      arguments: [kind, id, body])
  }

  /// Removes a document, if it exists.
  public func remove(kind: String, id: String) throws {
    try database.execute(
      sql: "DELETE FROM documents WHERE kind = ? AND id = ?", arguments: [kind, id])
  }

  /// A document read from JSON, nil if it does not exist.
  ///
  /// - Throws: What decoding throws too: `DecodingError`, or an error of the value's own.
  public func value<Value: Decodable>(
    _ type: Value.Type, kind: String, id: String
  ) throws -> Value? {
    try body(kind: kind, id: id).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Writes a document as JSON; the same value always gives the same bytes.
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
  ///   - file: The database.
  ///   - id: The document's id, to keep apart the schedulers that share a file.
  ///   - waitSeconds: How long an update waits for those of other schedulers before it throws a
  ///     `StateFileError` with `.locked`, having changed nothing.
  public init(_ file: StateDatabase, id: String = "default", waitSeconds: Double = 5) {
    self.init(
      path: file.path, waitSeconds: waitSeconds,
      read: { try file.body(kind: "scheduler", id: id) },
      write: { body in try file.update { try $0.put(kind: "scheduler", id: id, body: body) } })
  }
}
