public import Formats

extension ClockZone {
  /// The instant at which clocks show a time on a date, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// Where the clocks were set forward over that time, it is moved forward by whole hours until it
  /// exists, so that minutes and seconds are kept: 02:30 becomes 03:30. A time on a date that was
  /// left out altogether becomes the same time of the next. Where they were set back, the time comes
  /// twice and the first one counts.
  public func milliseconds(date: CivilDate, secondOfDay: Int) -> Int64 {
    milliseconds(daysSince1970: date.daysSince1970, secondOfDay: secondOfDay)
  }

  func milliseconds(daysSince1970 days: Int, secondOfDay: Int) -> Int64 {
    let local = Int64(days) * 86_400 + Int64(secondOfDay)
    return seconds(ofLocalSeconds: local) * 1000
  }

  /// The day and the second of the day that clocks show at an instant.
  func local(atMilliseconds milliseconds: Int64) -> (daysSince1970: Int, secondOfDay: Int) {
    let local = milliseconds.dividedDown(by: 1000) + offsetSeconds(atMilliseconds: milliseconds)
    return (Int(local.dividedDown(by: 86_400)), Int(local.remainderDown(by: 86_400)))
  }

  /// The first second with another offset than `start` has, of which there is one until `end`.
  func firstSecond(after start: Int64, until end: Int64) -> Int64 {
    let offset = offsetSeconds(atMilliseconds: start * 1000)
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offsetSeconds(atMilliseconds: middle * 1000) == offset {
        low = middle
      } else {
        high = middle
      }
    }
    return high
  }

  /// UTC seconds of the local seconds since 1970-01-01T00:00:00 on the clock.
  private func seconds(ofLocalSeconds local: Int64) -> Int64 {
    // No zone is a day away from UTC, and none changes its clocks twice within two days: what
    // held a day before and what holds a day after are all the offsets that come into question.
    let before = offsetSeconds(atMilliseconds: (local - 86_400) * 1000)
    let after = offsetSeconds(atMilliseconds: (local + 86_400) * 1000)
    if before == after { return local - before }
    if offsetSeconds(atMilliseconds: (local - before) * 1000) == before { return local - before }
    if offsetSeconds(atMilliseconds: (local - after) * 1000) == after { return local - after }
    // Where a whole date was left out, its times are those of the next one.
    if after - before >= 86_400 { return local + 86_400 - after }
    var moved = local - after + 3600
    // A gap of less than a day has ended by then.
    for _ in 0..<24 where offsetSeconds(atMilliseconds: moved * 1000) != after { moved += 3600 }
    return moved
  }
}
