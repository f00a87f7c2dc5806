import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    print(stories.placeCount, "stories")
  }
}
