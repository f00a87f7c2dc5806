import FencepostApple

/// What must outlive the program.
struct Journal: Codable {
  /// What the watch knows; nil before the first fix.
  var watch: StoryWatch.Snapshot?
  /// The alerts so far.
  var alerts: [String] = []
}
