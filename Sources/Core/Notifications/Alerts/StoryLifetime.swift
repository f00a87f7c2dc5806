package import FencepostMonitoring

/// The dates between which a story can alert, in milliseconds since 1970.
///
/// Nil leaves an end open. The first moment counts, the last does not.
package struct StoryLifetime: Equatable, Sendable {
  /// The first moment at which the story can alert; nil for no start.
  package var publishedMilliseconds: Int64?
  /// The first moment at which the story can no longer alert; nil for no end.
  package var expiresMilliseconds: Int64?

  /// Creates a lifetime from two times in milliseconds since 1970.
  package init(publishedMilliseconds: Int64?, expiresMilliseconds: Int64?) {
    self.publishedMilliseconds = publishedMilliseconds
    self.expiresMilliseconds = expiresMilliseconds
  }

  /// Why the story cannot alert at a moment, in milliseconds since 1970; nil if it can.
  package func obstacle(atMilliseconds time: Int64) -> SuppressionReason? {
    if let publishedMilliseconds, time < publishedMilliseconds { return .notPublished }
    if let expiresMilliseconds, time >= expiresMilliseconds { return .expired }
    return nil
  }

  /// Why the story cannot alert on any of several walks, given when the first and the last begin.
  ///
  /// It has expired before the first begins, or is not published when the last begins. Otherwise
  /// nil. The times are in milliseconds since 1970.
  package func obstacle(to starts: ClosedRange<Int64>) -> SuppressionReason? {
    if obstacle(atMilliseconds: starts.lowerBound) == .expired { return .expired }
    return obstacle(atMilliseconds: starts.upperBound) == .notPublished ? .notPublished : nil
  }
}

extension Place {
  /// The dates between which the place can alert.
  package var lifetime: StoryLifetime {
    StoryLifetime(
      publishedMilliseconds: publishedMilliseconds, expiresMilliseconds: expiresMilliseconds)
  }
}
