import FencepostGeodesy

/// A walk whose true path is known, past circles that a phone watched.
package struct KnownWalk: Sendable {
  /// The path, on a clock of seconds since 1970.
  package var path: PhonePath
  /// Identifies the walk in the random numbers; see ``subjectKey(_:)``.
  package var key: UInt64
  /// The circles, each with a key of its own; their entries follow from the path.
  package var circles: [PhoneStory]
  /// When the phone watched each circle, in seconds since 1970.
  package var watched: [ClosedRange<Double>]

  /// Creates a walk; without `watched`, the phone watched every circle all the time.
  package init(
    path: PhonePath, key: UInt64, circles: [PhoneStory], watched: [ClosedRange<Double>]? = nil
  ) {
    self.path = path
    self.key = key
    self.circles = circles
    self.watched = watched ?? circles.map { _ in -Double.infinity...Double.infinity }
  }

  /// The crossings of a circle's edge that a phone can report before the walk ends.
  ///
  /// A walk that ends within five minutes of a crossing says nothing about it, and a break in the
  /// path does not count as one.
  func entries(ofCircle index: Int, _ side: CrossingSide) -> [PhoneStory.Entry] {
    let circle = circles[index]
    let center = Position(circle.coordinate).vector
    let end = path.vertices.last?.seconds ?? 0
    let inside = path.spans(within: circle.radiusMeters, of: center)
    return StoryApproach.entries(of: inside, on: path, side).filter { entry in
      let meters = (path.point(atSeconds: entry.seconds) - center).length
      return abs(meters - circle.radiusMeters) < 1 && end - entry.seconds >= 300
        && watched[index].contains(entry.seconds)
    }
  }
}

/// A crossing that a phone reported.
package struct CrossingReport: Equatable, Sendable {
  /// The key of the circle; nil if the log does not name it.
  package var circle: UInt64?
  package var side: CrossingSide
  /// Seconds since 1970.
  package var seconds: Double

  package init(circle: UInt64?, side: CrossingSide, seconds: Double) {
    self.circle = circle
    self.side = side
    self.seconds = seconds
  }
}
