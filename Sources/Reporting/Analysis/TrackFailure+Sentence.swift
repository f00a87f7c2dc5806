public import Analysis
import Fixes
import Formats

extension TrackFailure: CustomStringConvertible {
  /// One sentence that begins with the file.
  public var description: String {
    switch kind {
    case .fixes(let error): "\(error)"
    case .store(let sentence): "\(path): \(sentence)"
    case .empty(let rejected):
      "\(path): no fixes"
        + (rejected.isEmpty ? "" : "; refused: \(ReportNumber.list(rejected))")
    }
  }
}
