public import FencepostGeodesy

/// A crossing of the edge of a place's circle, or a dwell inside it.
public struct Encounter: Sendable {
  /// Name of the track: its file as the user wrote it, or the stream's name.
  public var track: String
  /// The device within the stream, if the stream carries several; else nil.
  public var device: String?
  /// Index of the segment of the track, from 0.
  public var segment: Int
  /// Index of the fix that ends the path's segment, counting accepted fixes from 0.
  public var fix: Int
  /// How far along that segment, 0 … 1 of its length.
  public var fraction: Double
  /// When, in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
  public var timeMilliseconds: Int64?
  /// Where the path crossed the edge, or where that was confirmed.
  public var coordinate: Coordinate
  /// The place's id in the store.
  public var placeID: String
  /// The place's title.
  public var title: String
  /// Distance from the place's centre in metres.
  public var distanceMeters: Double
  /// Whether the path was broken, so that only the states at both ends are known.
  public var acrossBreak: Bool
  /// When the path met the edge; nil if crossings are reported where they happen.
  public var crossed: Crossed?
  /// The story's address; may be empty.
  public var url: String
  /// The story's first words; may be empty.
  public var blurb: String
  /// The place's category; may be empty.
  public var category: String

  /// The moment of a crossing that is reported elsewhere.
  public struct Crossed: Equatable, Sendable {
    /// When, in milliseconds since 1970-01-01T00:00:00Z; nil without times.
    public var timeMilliseconds: Int64?

    /// Makes a moment.
    public init(timeMilliseconds: Int64?) { self.timeMilliseconds = timeMilliseconds }
  }

  /// Makes an encounter of its parts.
  public init(
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
