import FencepostFixes

/// Where something ends in a source.
struct SourcePosition: Sendable {
  /// From 1; nil in formats without lines.
  var line: Int?
  /// From 0; nil if unknown.
  var byteOffset: Int?

  /// A rejection at this position.
  func rejection(_ reason: Rejection.Reason, _ detail: String? = nil) -> Rejection {
    Rejection(reason: reason, line: line, byteOffset: byteOffset, detail: detail)
  }
}
