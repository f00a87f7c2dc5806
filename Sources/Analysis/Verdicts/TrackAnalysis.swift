public import Geodesy

/// Everything that was found out about one track.
public struct TrackAnalysis: Sendable {
  /// A spot on the path where the device was in more circles than can be monitored.
  public struct Crowd: Equatable, Sendable {
    /// Where most circles contained the device.
    public var coordinate: Coordinate
    /// How many did.
    public var circles: Int

    /// Makes a crowd of its parts.
    public init(coordinate: Coordinate, circles: Int) {
      self.coordinate = coordinate
      self.circles = circles
    }
  }

  /// The numbers.
  public var account: TrackAccount
  /// Distance of the path from each story's centre in metres, by story; infinite without a fix.
  public var nearestMeters: [Double]
  /// The stories whose circle the path was inside of, ascending.
  public var crossed: [StoryVerdict]
  /// All entries, in order along the path.
  public var entries: [EntryRecord]
  /// Stories that alerted within a minute of one another, themselves or in another's group.
  public var moments: [[Int]]
  /// Where the device was in more circles than can be monitored, in order along the path.
  public var crowds: [Crowd]
  /// The path as it is drawn: each unbroken piece, simplified; empty where nobody draws it.
  public var lines: [[Coordinate]]

  /// Makes an analysis of its parts.
  public init(
    account: TrackAccount, nearestMeters: [Double], crossed: [StoryVerdict],
    entries: [EntryRecord], moments: [[Int]], crowds: [Crowd], lines: [[Coordinate]]
  ) {
    self.account = account
    self.nearestMeters = nearestMeters
    self.crossed = crossed
    self.entries = entries
    self.moments = moments
    self.crowds = crowds
    self.lines = lines
  }
}
