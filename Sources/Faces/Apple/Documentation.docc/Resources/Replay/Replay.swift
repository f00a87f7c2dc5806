import FencepostApple
import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    let rules = storyRules()
    if CommandLine.arguments.contains("check") { return try check(stories, rules.watch) }
    let file = StateFile(path: "walk.state")
    var journal = try file.load(Journal.self) ?? Journal()
    var watch = StoryWatch(stories: stories, options: rules.watch)
    if let snapshot = journal.watch {
      watch = StoryWatch(stories: stories, options: rules.watch, snapshot: snapshot)
    }
    while let fix = try nextFix() {
      for entry in watch.follow(fix) where entry.isAlert {
        let content = rules.content(entry)
        journal.alerts.append("\(content.title) (\(content.subtitle))")
      }
      journal.watch = watch.snapshot
      try file.save(journal)
    }
    for alert in journal.alerts { print(alert) }
  }
}
