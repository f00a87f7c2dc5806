/// Why a list of places cannot be read.
///
/// Faults in single rows are not errors; ``ImportReport`` lists them.
public enum PlaceListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not in a supported format.
  case format(file: String, line: Int, sentence: String)
  /// A row was refused in a strict reading.
  case refused(PlaceRefusal)

  /// The failure as one sentence without a period, beginning with the name of the list.
  public var description: String {
    switch self {
    case .format(let file, let line, let sentence): "\(file): line \(line): \(sentence)"
    case .refused(let refusal): refusal.fault
    }
  }
}
