import FencepostApple
import FencepostMonitoring

/// Prints the stories that a phone without limits would alert for on the walk, and these rules do not.
func check(_ stories: PlaceIndex, _ rules: StoryWatch.Options) throws {
  var unlimited = rules
  unlimited.monitoring.limit = nil
  var everything = StoryWatch(stories: stories, options: unlimited)
  var watch = StoryWatch(stories: stories, options: rules)
  var (expected, alerted): (Set<String>, Set<String>) = ([], [])
  while let fix = try nextFix() {
    expected.formUnion(alerts(everything.follow(fix)))
    alerted.formUnion(alerts(watch.follow(fix)))
  }
  let missed = expected.subtracting(alerted)
  print("missed \(missed.count) of \(expected.count)")
  for title in missed.sorted() { print("-", title) }
}

private func alerts(_ entries: [StoryEntry]) -> [String] {
  entries.filter { $0.decision.suppressionReason == nil }.map(\.story.title)
}
