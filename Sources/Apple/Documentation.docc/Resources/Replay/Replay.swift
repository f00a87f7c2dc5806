import FencepostApple
import FencepostMonitoring
import FencepostStateFile
import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    let rules = storyRules()
    if CommandLine.arguments.contains("check") { return try check(stories, rules.watch) }
    let file = StateFile(path: "walk.state")
    var journal = try Journal(from: file)
    var watch = StoryWatch(stories: stories, options: rules.watch)
    if let snapshot = journal.watch {
      watch = StoryWatch(stories: stories, options: rules.watch, snapshot: snapshot)
    }
    while let fix = try nextFix() {
      for entry in watch.follow(fix) {
        guard case .alert = entry.decision else { continue }
        let content = rules.content(entry)
        journal.alerts.append("\(content.title) (\(content.subtitle))")
      }
      journal.watch = watch.snapshot
      try journal.save(to: file)
    }
    for alert in journal.alerts { print(alert) }
  }
}
