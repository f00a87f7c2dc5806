public import FencepostFiles
import FencepostFormats

/// Why an import failed; the store is unchanged then.
public enum PlaceImportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store cannot be made, opened or written.
  case store(PlaceStoreError)
  /// A file cannot be read.
  case source(ByteSourceError)
  /// A file is not in a format of places.
  case format(file: String, line: Int, sentence: String)
  /// A row was refused and the import is strict.
  case refused(PlaceRefusal)

  /// The failure as one sentence without a full stop, beginning with the file's name.
  public var description: String {
    switch self {
    case .store(let error): error.description
    case .source(let error) where error.kind == .directory:
      "\(error.description); name the files in it"
    case .source(let error): error.description
    case .format(let file, let line, let sentence): "\(file): line \(line): \(sentence)"
    case .refused(let refusal): refusal.fault
    }
  }

  /// Does work on a store, whose failures are then the import's.
  static func ofStore<Result>(
    _ body: () throws(PlaceStoreError) -> Result
  ) throws(PlaceImportError) -> Result {
    do throws(PlaceStoreError) { return try body() } catch { throw .store(error) }
  }
}
