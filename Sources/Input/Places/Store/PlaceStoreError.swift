import FencepostCSpatiaLite
import FencepostSQLite
import Glibc

/// Why a store cannot be used, as a sentence a user can act on.
///
/// Programs look at the code; the description names the path and what to do.
public struct PlaceStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, which determines a command's exit code.
  public enum Code: String, Equatable, Sendable {
    /// The path has no file.
    case missing
    /// The file is empty.
    case empty
    /// The file is not an SQLite database.
    case notSQLite
    /// The file is an SQLite database, but not a store of places.
    case notAStore
    /// A later version of this program wrote the store.
    case newerVersion
    /// Another program has replaced the table of places.
    case replaced
    /// The file computes what a store must hold as stored values, by a view, a generated column or an
    /// expression.
    case computed
    /// The path for a new store is taken.
    case alreadyExists
    /// The file, its folder or its file system is read-only.
    case readOnly
    /// The disk is full.
    case diskFull
    /// Another program is writing, or is reading while this one needs to write.
    case locked
    /// The file is corrupt.
    case damaged
    /// SpatiaLite cannot be loaded, but creating a store needs it.
    case spatiaLiteMissing
    /// The file cannot be opened, read or written for another reason.
    case inputOutput
    /// SQLite refused a statement; the detail says why.
    case statement
  }

  /// The kind of failure.
  public var code: Code
  /// The path of the store.
  public var path: String
  /// The message of SQLite or the system if it helps, or empty.
  public var detail: String

  /// Creates an error; the detail is a message of SQLite or the system, if it helps.
  package init(code: Code, path: String, detail: String = "") {
    self.code = code
    self.path = path
    self.detail = detail
  }

  /// Creates an error from the value of `errno` after a call that failed.
  init(systemCode code: Int32, path: String) {
    // The text belongs to the C library and is copied at once.
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    switch code {
    case ENOSPC, EDQUOT: self.init(code: .diskFull, path: path)
    case EACCES, EROFS, EPERM: self.init(code: .readOnly, path: path, detail: text)
    default: self.init(code: .inputOutput, path: path, detail: text)
    }
  }

  /// The failure as one sentence without a period, beginning with the path.
  public var description: String {
    let sentence =
      switch code {
      case .missing: "no such store; create one with `fencepost places import`"
      case .empty: "the file is empty, so it is not a store of places"
      case .notSQLite: "not an SQLite database, so not a store of places"
      case .notAStore: "an SQLite database, but not a store of places"
      case .newerVersion: "the store was written by a newer version of Fencepost; update Fencepost"
      case .replaced:
        "another program has replaced the table of places, so this is no longer a store; "
          + "to make one from its contents: ogr2ogr -f GeoJSON places.geojson '\(path)' places && "
          + "fencepost places import places.geojson --store NEW"
      case .computed: "Fencepost runs nothing that a store computes"
      case .alreadyExists: "a file with that name already exists"
      case .readOnly: "the store cannot be written"
      case .diskFull: "the disk is full, so the store cannot be written"
      case .locked: "another program has locked the store; try again when it has finished"
      case .damaged: "the store is damaged; import its places again"
      case .spatiaLiteMissing: "cannot load SpatiaLite, which is needed to create a store"
      case .inputOutput: "the store cannot be opened or read"
      case .statement: "SQLite refused a statement"
      }
    return detail.isEmpty ? "\(path): \(sentence)" : "\(path): \(sentence) (\(detail))"
  }

  /// Converts an error of SQLite; a ``PlaceStoreError`` stays as it is.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as PlaceStoreError: self = error
    case let error as SQLiteError:
      // Our own statements name only columns that every store has.
      let lacksColumn = error.message.hasPrefix("no such column: ")
      let kind: Code =
        switch error.code {
        case SQLITE_ERROR where lacksColumn: .replaced
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_NOTADB: .notSQLite
        case SQLITE_CORRUPT: .damaged
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_FULL: .diskFull
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA: .statement
        default: .inputOutput
        }
      let saysItself = [.locked, .notSQLite, .diskFull, .replaced].contains(kind)
      self.init(code: kind, path: path, detail: saysItself ? "" : error.message)
    default: self.init(code: .statement, path: path, detail: String(describing: error))
    }
  }
}
