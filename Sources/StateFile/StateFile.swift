public import Foundation
import GRDB

/// A small file of documents that survives crashes and power failures.
///
/// It is an SQLite database with a write-ahead log that is synchronised at every commit: when
/// ``update(_:)`` returns, the change is on the disk; when it throws, nothing of it is. A document
/// has a kind, an id within the kind, and a body of bytes.
///
/// Only its owner may read or write it, and what SQLite keeps beside it. A file that others may read is
/// closed to them when it is opened.
///
/// A file that is damaged, of another program or of a newer version is never written to.
public final class StateFile: Sendable {
  /// What a change that was made is safe from.
  public enum Durability: Sendable {
    /// Also a power failure: every change waits for the disk.
    case powerFailure
    /// The end of the program, however sudden; after a power failure the last changes may be missing,
    /// and the file is sound.
    case crash
  }

  /// The path the file was opened by.
  public let path: String
  private let database: DatabaseQueue

  /// The form of the file that this version writes.
  static let version = 1
  /// What marks the database as a state file: "FPST" in ASCII.
  static let applicationID = 0x4650_5354

  /// Opens the file, or makes an empty one where there is none.
  ///
  /// - Parameters:
  ///   - path: Where the file is or shall be; its directory must exist.
  ///   - waitSeconds: How long to wait for another program that holds the file.
  ///   - durability: What a change is safe from once it is made.
  ///   - opensOnFullDisk: Whether a file that holds something is opened also where there is no room for
  ///     what is shared with other programs that read it; these find it locked then until it is closed.
  /// - Throws: ``StateFileError``
  public init(
    path: String, waitSeconds: Double = 2, durability: Durability = .powerFailure,
    opensOnFullDisk: Bool = false
  ) throws(StateFileError) {
    self.path = path
    try Self.checkDirectory(of: path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(waitSeconds)
    configuration.label = "StateFile"
    // SQLite does not wait by itself where a change of the journal or a recovery is under way, as
    // just after another program was killed.
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
    // Read again in its own transaction: another program may have made the tables meanwhile.
    try database.write { try createTables($0) }
    return database
  }

  /// Closes the file; what is done with it afterwards fails.
  public func close() throws(StateFileError) {
    do {
      try database.close()
    } catch {
      throw Self.error(error, path: path)
    }
  }

  /// Reads and changes documents in one transaction.
  ///
  /// - Parameter body: What to do; if it throws, nothing of it is kept.
  /// - Returns: What the body returns, once the change is on the disk.
  /// - Throws: What the body throws, and ``StateFileError`` for what goes wrong with the file.
  public func update<Result>(_ body: (StateTransaction) throws -> Result) throws -> Result {
    do {
      return try database.write { try body(StateTransaction(database: $0)) }
    } catch let error as DatabaseError {
      throw Self.error(error, path: path)
    }
  }

  /// The body of a document, or nil where there is none.
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
    // Unsafe is only the pointer to the flag, which does not outlive the call.
    let exists = unsafe FileManager.default.fileExists(
      atPath: directory, isDirectory: &isDirectory)
    guard exists, isDirectory.boolValue else {
      throw StateFileError(code: .missingDirectory, subject: path)
    }
    // SQLite would say no more than that it cannot open it.
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      isDirectory.boolValue
    {
      throw StateFileError(code: .isDirectory, subject: path)
    }
  }

  /// Looks before it writes anything: whose file it is, of which version, and whether it is sound.
  private static func prepare(_ database: Database) throws {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard id == applicationID || (tables == 0 && id == 0) else { throw Refusal.notStateFile }
    guard version <= Self.version else { throw Refusal.newerVersion(version) }
    let check = try String.fetchOne(database, sql: "PRAGMA quick_check") ?? "no answer"
    guard check == "ok" else { throw Refusal.damaged(check) }
    try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
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

  private static func error(_ error: any Error, path: String) -> StateFileError {
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
    // For what programs share that read the file at the same time.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .diskFull
    default: .inputOutput
    }
  }
}
