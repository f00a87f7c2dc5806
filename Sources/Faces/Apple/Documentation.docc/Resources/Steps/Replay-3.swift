import FencepostApple
import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    var watch = StoryWatch(stories: try loadStories(URL(fileURLWithPath: "stories.json")))
    var monitored: Set<PhoneRegion> = []
    while let fix = try nextFix() {
      _ = watch.follow(fix)
      let regions = Set(watch.regions)
      if regions != monitored {
        print(regions.count, "regions,", regions.subtracting(monitored).count, "of them new")
      }
      monitored = regions
    }
  }
}
