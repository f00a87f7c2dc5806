package import FencepostMonitoring

/// The dates between which a story can alert, in milliseconds since 1970.
package struct StoryLifetime: Equatable, Sendable {
  package var publishedMilliseconds: Int64?
  package var expiresMilliseconds: Int64?

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
