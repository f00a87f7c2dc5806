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
  static let version = 1
  /// The mark of a state file: "FPST" in ASCII.
  static let applicationID = 0x4650_5354

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
    try Self.checkDirectory(of: path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(waitSeconds)
    configuration.label = "StateDatabase"
    // SQLite does not wait for a change of the journal mode or a recovery, as just after another program
    // was killed.
    let end = ContinuousClock.now.advanced(by: .seconds(waitSeconds))
    var isExclusive = false
    FilePermissions.makePrivate(path)
    while true {
      do {
        database = try Self.open(path, configuration, durability)
        FilePermissions.narrow(path)
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
    try database.inDatabase { try prepare($0) }
    if durability == .crash {
      try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    }
    // In its own transaction, since another program may have made the tables meanwhile.
    try database.write { try createTables($0) }
    return database
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
      return try database.write { try body(StateTransaction(database: $0, path: path)) }
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

  private static func checkDirectory(of path: String) throws(StateFileError) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isDirectory: ObjCBool = false
    // The pointer to the flag does not outlive the call.
    let exists = unsafe FileManager.default.fileExists(
      atPath: directory, isDirectory: &isDirectory)
    guard exists, isDirectory.boolValue else {
      throw StateFileError(code: .missingDirectory, subject: path)
    }
    // SQLite would only say that it cannot open the file.
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      isDirectory.boolValue
    {
      throw StateFileError(code: .isDirectory, subject: path)
    }
  }

  /// Checks, before anything is written, whose file it is, its version, and whether it is sound.
  private static func prepare(_ database: Database) throws {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard id == applicationID || (tables == 0 && id == 0) else { throw Refusal.notStateFile }
    guard version <= Self.version else { throw Refusal.newerVersion(version) }
    let check = try String.fetchOne(database, sql: "PRAGMA quick_check") ?? "no answer"
    guard check == "ok" else { throw Refusal.damaged(check) }
    // Small pages, because most changes are small; a file keeps the size that it was made with. The log is folded
    // in long before it reaches 1 MiB, and cut to that after a large change.
    try database.execute(
      sql: """
        PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = 240; PRAGMA journal_size_limit = 1048576
        """)
  }

  private static func createTables(_ database: Database) throws {
    let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    if id == applicationID { return }
    try database.execute(
      sql: """
        CREATE TABLE documents (
          kind TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version)
        """)
  }

  private enum Refusal: Error {
    case notStateFile
    case newerVersion(Int)
    case damaged(String)
  }

  static func error(_ error: any Error, path: String) -> StateFileError {
    switch error {
    case let error as StateFileError: return error
    case Refusal.notStateFile: return StateFileError(code: .notStateFile, subject: path)
    case Refusal.newerVersion(let version):
      return StateFileError(code: .newerVersion, subject: path, detail: "version \(version)")
    case Refusal.damaged(let detail):
      return StateFileError(code: .damaged, subject: path, detail: detail)
    case let error as DatabaseError:
      return StateFileError(
        code: code(of: error), subject: path, detail: error.message ?? "\(error.resultCode)")
    default:
      return StateFileError(code: .inputOutput, subject: path, detail: "\(error)")
    }
  }

  private static func code(of error: DatabaseError) -> StateFileError.Code {
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged
    case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
    case .SQLITE_CANTOPEN: .readOnly
    case .SQLITE_FULL: .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
    // For the memory that SQLite shares with other readers.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .diskFull
    default: .inputOutput
    }
  }
}

/// A state file is its owner's alone, since it shows where somebody was.
private enum FilePermissions {
  /// Makes an empty private file if it does not exist; a failure is left to SQLite to report.
  ///
  /// SQLite would use the permissions that the umask leaves, and gives those of the file to its files next
  /// to it. Nothing is opened: the system drops a program's locks on a file when any of its descriptors is
  /// closed.
  static func makePrivate(_ path: String) {
    // The path outlives the call.
    _ = unsafe mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0)
  }

  /// Takes away the permissions of others on the file and SQLite's files next to it, unless somebody else
  /// owns them.
  static func narrow(_ path: String) {
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
