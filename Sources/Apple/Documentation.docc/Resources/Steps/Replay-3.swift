import FencepostApple
import FencepostMonitoring
import Foundation
import StoryCore

@main
struct Replay {
  static func main() throws {
    let stories = try loadStories(URL(fileURLWithPath: "stories.json"))
    var watch = StoryWatch(stories: stories, options: storyRules().watch)
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
