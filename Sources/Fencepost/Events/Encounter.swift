public import FencepostGeodesy

/// An entry into a place's circle, an exit from it, or a dwell inside it.
public struct Encounter: Codable, Equatable, Sendable {
  /// The name of the track: its file as the user wrote it, or the name of the stream.
  public var track: String
  /// The device, if the stream carries several; otherwise nil.
  public var device: String?
  /// The index of the track's segment, from 0.
  public var segment: Int
  /// The index of the accepted fix that ends this stretch of the path, from 0.
  public var fix: Int
  /// The position along the stretch that ends at ``fix``, from 0 to 1 of its length.
  public var fraction: Double
  /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
  public var timeMilliseconds: Int64?
  /// The point where the path crossed the edge, or where the crossing was confirmed.
  public var coordinate: Coordinate
  /// The id of the place in the store.
  public var placeID: String
  /// The title of the place.
  public var title: String
  /// The distance from the center of the place in meters.
  public var distanceMeters: Double
  /// Whether the path has a break here, so that only the states before and after it are known.
  public var acrossBreak: Bool
  /// When the path met the edge; nil if crossings are reported where they happen.
  public var crossed: Crossed?
  /// The URL of the story; may be empty.
  public var url: String
  /// The first words of the story; may be empty.
  public var blurb: String
  /// The category of the place; may be empty.
  public var category: String

  /// The id of the story or reminder that was shown in place of a reminder, because that second was
  /// full; nil if this was shown.
  package var displacedBy: String?

  /// The time of a crossing that is reported later than it happened.
  public struct Crossed: Codable, Equatable, Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
    public var timeMilliseconds: Int64?

    package init(timeMilliseconds: Int64?) { self.timeMilliseconds = timeMilliseconds }
  }

  package init(
    track: String,
    device: String? = nil,
    segment: Int,
    fix: Int,
    fraction: Double,
    timeMilliseconds: Int64?,
    coordinate: Coordinate,
    placeID: String,
    title: String,
    distanceMeters: Double,
    acrossBreak: Bool = false,
    crossed: Crossed? = nil,
    url: String = "",
    blurb: String = "",
    category: String = ""
  ) {
    self.track = track
    self.device = device
    self.segment = segment
    self.fix = fix
    self.fraction = fraction
    self.timeMilliseconds = timeMilliseconds
    self.coordinate = coordinate
    self.placeID = placeID
    self.title = title
    self.distanceMeters = distanceMeters
    self.acrossBreak = acrossBreak
    self.crossed = crossed
    self.url = url
    self.blurb = blurb
    self.category = category
  }
}
