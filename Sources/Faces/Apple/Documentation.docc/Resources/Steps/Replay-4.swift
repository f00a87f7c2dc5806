import FencepostApple
import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    let rules = storyRules()
    var watch = StoryWatch(stories: stories, options: rules.watch)
    while let fix = try nextFix() {
      for entry in watch.follow(fix) where entry.isAlert {
        let content = rules.content(entry)
        print("\(content.title) (\(content.subtitle))")
      }
    }
  }
}
