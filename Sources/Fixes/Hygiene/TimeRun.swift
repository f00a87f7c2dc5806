/// Successive times that do not go back; only the ends and the number are kept.
struct TimeRun: Sendable, Equatable, Codable {
  static let capacity = 60

  /// The first and last times in milliseconds since 1970.
  var first: Int64
  var last: Int64
  /// How many fixes of the `trk` had arrived with the first and with the last.
  var firstArrival: Int
  var lastArrival: Int
  var count = 1

  init(_ time: Int64, arrival: Int) {
    (first, last) = (time, time)
    (firstArrival, lastArrival) = (arrival, arrival)
  }

  /// The run must not begin before this one ends.
  mutating func append(_ next: TimeRun) {
    (last, lastArrival) = (next.last, next.lastArrival)
    count += next.count
  }

  mutating func append(_ time: Int64, arrival: Int) {
    (last, lastArrival) = (time, arrival)
    count += 1
  }

  /// Removes later times, whose number is estimated from an even pace.
  mutating func cut(laterThan time: Int64) {
    let share = (Double(time) - Double(first)) / max(1, Double(last) - Double(first))
    count = max(1, Int(Double(count) * share))
    last = time
  }

  /// The step between two times, limited to the range of `Int64`.
  static func step(from time: Int64, to later: Int64) -> Int64 {
    let (step, isBeyondAll) = later.subtractingReportingOverflow(time)
    return isBeyondAll ? .max : step
  }
}

extension [TimeRun] {
  /// Joins the two runs with the shortest step between them; if all go back, removes the first.
  mutating func joinNearest() {
    var nearest: (index: Int, step: Int64)?
    for index in indices.dropLast() where self[index].last <= self[index + 1].first {
      let step = TimeRun.step(from: self[index].last, to: self[index + 1].first)
      if step < nearest?.step ?? .max { nearest = (index, step) }
    }
    guard let nearest else { return _ = removeFirst() }
    self[nearest.index].append(self[nearest.index + 1])
    remove(at: nearest.index + 1)
  }
}
