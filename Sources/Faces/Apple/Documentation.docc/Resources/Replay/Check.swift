import FencepostApple

/// Prints the stories that a phone without limits would alert for on the walk, and these rules do not.
func check(_ stories: PlaceIndex, _ rules: StoryWatchOptions) throws {
  var unlimited = rules
  unlimited.monitoring.limit = nil
  var everything = StoryWatch(stories: stories, options: unlimited)
  var watch = StoryWatch(stories: stories, options: rules)
  var (expected, alerted): (Set<String>, Set<String>) = ([], [])
  while let fix = try nextFix() {
    expected.formUnion(everything.follow(fix).filter(\.isAlert).map(\.story.title))
    alerted.formUnion(watch.follow(fix).filter(\.isAlert).map(\.story.title))
  }
  let missed = expected.subtracting(alerted)
  print("missed \(missed.count) of \(expected.count)")
  for title in missed.sorted() { print("-", title) }
}
