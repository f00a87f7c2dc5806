import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    guard let fix = try nextFix() else { return }
    for neighbor in stories.nearest(to: fix.coordinate, count: 5) {
      let title = stories.place(forKey: neighbor.key)?.title ?? ""
      print(Int(neighbor.centerDistanceMeters), "m", title)
    }
  }
}
