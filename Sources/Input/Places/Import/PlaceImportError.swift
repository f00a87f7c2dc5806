public import FencepostFiles
import FencepostFormats
public import FencepostPlaceList

/// Why an import failed, which leaves the store unchanged.
///
/// Only a strict import fails because of a row; otherwise `ImportReport` lists the rows that were
/// refused.
public enum PlaceImportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store cannot be created, opened or written.
  case store(PlaceStoreError)
  /// A file cannot be read.
  case source(ByteSourceError)
  /// A file is not in a supported format.
  case format(file: String, line: Int, sentence: String)
  /// A row was refused in a strict import.
  case refused(PlaceRefusal)

  /// The failure as one sentence without a period, beginning with the file name.
  public var description: String {
    switch self {
    case .store(let error): error.description
    case .source(let error) where error.kind == .directory:
      "\(error.description); name the files in it"
    case .source(let error): error.description
    case .format(let file, let line, let sentence):
      PlaceListError.format(file: file, line: line, sentence: sentence).description
    case .refused(let refusal): refusal.fault
    }
  }

  /// Converts an error of a list, which has the same cases.
  init(_ error: PlaceListError) {
    switch error {
    case .format(let file, let line, let sentence):
      self = .format(file: file, line: line, sentence: sentence)
    case .refused(let refusal): self = .refused(refusal)
    }
  }

  /// Runs work on a store and wraps its errors, which name the store themselves.
  static func ofStore<Result>(_ body: () throws -> Result) throws(PlaceImportError) -> Result {
    do { return try body() } catch { throw .store(PlaceStoreError(error, path: "")) }
  }
}
