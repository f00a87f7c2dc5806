import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    try check(loadStories(URL(fileURLWithPath: "stories.json")), storyRules().watch)
  }
}
