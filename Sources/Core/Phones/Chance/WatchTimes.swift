/// When each story is watched in one trial, as times that are sorted and merged where they touch.
struct WatchTimes {
  /// The stories that are watched at any time, ascending.
  private(set) var watched: [Int]
  private var times: [[ClosedRange<Double>]]

  init(stories: Int, hasLimit: Bool) {
    watched = hasLimit ? [] : Array(0..<stories)
    times = Array(repeating: hasLimit ? [] : [-Double.infinity...Double.infinity], count: stories)
  }

  subscript(story: Int) -> [ClosedRange<Double>] { times[story] }

  /// Starts another trial, with a lookup at each of the fixes.
  mutating func restart(at fixes: [Int], on path: PhonePath, _ set: (_ fix: Int) -> [Int]) {
    for story in watched { times[story].removeAll(keepingCapacity: true) }
    watched.removeAll(keepingCapacity: true)
    for (index, fix) in fixes.enumerated() {
      let from = index == 0 ? -Double.infinity : path.vertices[fix].seconds
      let to = index + 1 < fixes.count ? path.vertices[fixes[index + 1]].seconds : Double.infinity
      for story in set(fix) {
        if let last = times[story].last, last.upperBound == from {
          times[story][times[story].count - 1] = last.lowerBound...to
        } else {
          if times[story].isEmpty { watched.append(story) }
          times[story].append(from...to)
        }
      }
    }
    watched.sort()
  }
}
