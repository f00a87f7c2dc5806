package import FencepostFixes
public import FencepostGeodesy
public import FencepostMonitoring
package import FencepostNotifications

/// An event along a track.
///
/// A ``TrackSession`` emits events in path order and the summary last, for reports and sinks.
public enum Event: Codable, Equatable, Sendable {
  /// The path entered a watched circle.
  case enter(Encounter)
  /// The path left a watched circle.
  case exit(Encounter)
  /// The device stayed inside a watched circle for the dwell time.
  case dwell(Encounter)
  /// An event that caused an alert: an entry, unless another `AlertTrigger` is chosen.
  case alert(Encounter, Alert)
  /// An event that the alert rules held back, with the name of the rule.
  case suppressed(Encounter, reason: String)
  /// A reminder fired because its circle was crossed. The encounter has the reminder's id and
  /// title.
  case reminder(Encounter, edge: Edge)
  /// A lookup of the nearest places.
  case refresh(RefreshEvent)
  /// The summary at the end of a track.
  case summary(TrackSummary)

  /// The direction of a crossing.
  ///
  /// A reminder fires on one of them or on both.
  public enum Edge: String, Codable, Sendable {
    /// Into the circle.
    case enter
    /// Out of the circle.
    case exit
  }
}

/// The alert of an entry.
///
/// It tells when the notification appears, and which other places it stands for.
public struct Alert: Codable, Equatable, Sendable {
  /// When the notification appears, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The time of the entry, or later if alerts are staggered; nil if the track has no times.
  public var deliveryMilliseconds: Int64?
  /// The ids of the other places at the same position that this alert covers.
  public var group: [String]

  /// Creates an alert, which stands for one place unless a group is given.
  package init(deliveryMilliseconds: Int64?, group: [String] = []) {
    self.deliveryMilliseconds = deliveryMilliseconds
    self.group = group
  }
}

/// A set of kinds of events.
///
/// A session makes only the events of its selection, but its summary counts all of them.
public struct EventSelection: OptionSet, Sendable {
  /// One bit per kind.
  public var rawValue: UInt8

  /// Creates a selection from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Alerts.
  public static let alert = EventSelection(rawValue: 1 << 0)
  /// Alerts that the rules held back.
  public static let suppressed = EventSelection(rawValue: 1 << 1)
  /// Entries into circles.
  public static let enter = EventSelection(rawValue: 1 << 2)
  /// Exits from circles.
  public static let exit = EventSelection(rawValue: 1 << 3)
  /// Lookups of the nearest places.
  public static let refresh = EventSelection(rawValue: 1 << 4)
  /// Summaries of tracks.
  public static let summary = EventSelection(rawValue: 1 << 5)

  /// Reminders that fired because their circles were crossed.
  public static let reminder = EventSelection(rawValue: 1 << 6)
  /// Dwells inside circles.
  public static let dwell = EventSelection(rawValue: 1 << 7)

  /// The default kinds of a report.
  public static let standard: EventSelection = [.alert, .suppressed, .summary, .reminder]
  /// Every kind.
  public static let all: EventSelection = [
    .alert, .suppressed, .enter, .exit, .refresh, .summary, .reminder, .dwell,
  ]
  /// The kinds that concern the circle of a place or a reminder.
  package static let encounters: EventSelection = [
    .alert, .suppressed, .enter, .exit, .reminder, .dwell,
  ]

  /// The names of all kinds, in the order of their bits.
  package static let names = [
    "alert", "suppressed", "enter", "exit", "refresh", "summary", "reminder", "dwell",
  ]

  /// Reads names separated by commas; `all` selects every kind.
  ///
  /// - Throws: ``UnknownName`` for the first unknown name.
  package init(parsing list: String) throws(UnknownName) {
    self.init(rawValue: 0)
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }
      if name == "all" {
        formUnion(.all)
      } else if let index = Self.names.firstIndex(where: { $0 == name }) {
        insert(EventSelection(rawValue: 1 << UInt8(index)))
      } else {
        throw UnknownName(name: String(name))
      }
    }
  }

  /// Whether the selection includes the kind of the event.
  public func includes(_ event: Event) -> Bool {
    switch event {
    case .enter: contains(.enter)
    case .exit: contains(.exit)
    case .dwell: contains(.dwell)
    case .alert: contains(.alert)
    case .suppressed: contains(.suppressed)
    case .refresh: contains(.refresh)
    case .summary: contains(.summary)
    case .reminder: contains(.reminder)
    }
  }

  /// A name in a list of events that is not the name of any.
  ///
  /// Commands refuse the option, and the C interface the session.
  package struct UnknownName: Error, CustomStringConvertible {
    /// The name as it is written in the list.
    package var name: String

    /// The error as one sentence that lists the valid names.
    package var description: String {
      "“\(name)” is not an event; choose from \(names.joined(separator: ","))"
    }
  }
}

/// An entry into a place's circle, an exit from it, or a dwell inside it.
///
/// It tells where and when the path met the circle, and has the texts that an alert shows.
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
  public var isAcrossBreak: Bool
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
  ///
  /// The time of the event itself is that of its confirmation.
  public struct Crossed: Codable, Equatable, Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
    public var timeMilliseconds: Int64?

    /// Creates the time at the edge; nil if the track has no times.
    package init(timeMilliseconds: Int64?) { self.timeMilliseconds = timeMilliseconds }
  }

  /// Creates an encounter of a session; its texts are those of the place.
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
    isAcrossBreak: Bool = false,
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
    self.isAcrossBreak = isAcrossBreak
    self.crossed = crossed
    self.url = url
    self.blurb = blurb
    self.category = category
  }

  /// The former name of ``isAcrossBreak``.
  @available(*, deprecated, renamed: "isAcrossBreak")
  public var acrossBreak: Bool {
    get { isAcrossBreak }
    set { isAcrossBreak = newValue }
  }
}

/// A lookup of the nearest places, or a failed attempt at one.
///
/// It counts the circles that changed, and does not name them.
public struct RefreshEvent: Codable, Equatable, Sendable {
  /// The name of the track: its file as the user wrote it, or the name of the stream.
  public var track: String
  /// The device, if the stream carries several; otherwise nil.
  public var device: String?
  /// The index of the track's segment, from 0.
  public var segment: Int
  /// The index of the accepted fix that ends this stretch of the path, from 0.
  public var fix: Int
  /// The position along the stretch, from 0 to 1 of its length; 1 if the fix itself caused the
  /// lookup.
  public var fraction: Double
  /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
  public var timeMilliseconds: Int64?
  /// The point of the lookup.
  public var coordinate: Coordinate
  /// The number of circles watched afterwards.
  public var monitored: Int
  /// The number of circles that were added.
  public var added: Int
  /// The number of circles that were removed.
  public var removed: Int
  /// The distance to the farthest watched center in meters; nil if no circle or every circle is
  /// watched.
  public var radiusMeters: Double?
  /// The distance to the nearest unwatched edge in meters.
  ///
  /// Infinite if every circle is watched; nil unless the refresh is adaptive.
  package var reachMeters: Double? {
    get { reach?.value }
    set { reach = newValue.map(UnboundedMeters.init) }
  }
  private var reach: UnboundedMeters?
  /// The reason the lookup failed and changed nothing; nil if it succeeded.
  public var failure: String?

  /// Creates a lookup; one that failed changed no circle and has a reason.
  package init(
    track: String,
    device: String? = nil,
    segment: Int,
    fix: Int,
    fraction: Double,
    timeMilliseconds: Int64?,
    coordinate: Coordinate,
    monitored: Int,
    added: Int,
    removed: Int,
    radiusMeters: Double?,
    reachMeters: Double? = nil,
    failure: String? = nil
  ) {
    self.track = track
    self.device = device
    self.segment = segment
    self.fix = fix
    self.fraction = fraction
    self.timeMilliseconds = timeMilliseconds
    self.coordinate = coordinate
    self.monitored = monitored
    self.added = added
    self.removed = removed
    self.radiusMeters = radiusMeters
    self.reachMeters = reachMeters
    self.failure = failure
  }
}

/// The summary of a track.
///
/// It is the last event of a track, also of a track that ended in an error.
public struct TrackSummary: Codable, Equatable, Sendable {
  /// The name of the track: its file as the user wrote it, or the name of the stream.
  public var track: String
  /// The device, if the stream carries several; otherwise nil.
  public var device: String?
  /// The number of accepted fixes.
  public var fixes = 0
  /// The number of segments with at least one accepted fix.
  public var segments = 0
  /// The number of rejected fixes for each reason.
  public var rejected: [String: Int] = [:]
  /// The earliest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var firstMilliseconds: Int64?
  /// The latest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var lastMilliseconds: Int64?
  /// The length of the path in meters, without its breaks.
  public var lengthMeters = 0.0
  /// The number of lookups.
  public var refreshes = 0
  /// The number of entries.
  public var enters = 0
  /// The number of exits.
  public var exits = 0
  /// The number of dwells; nil if the rules have no dwell time.
  public var dwells: Int?
  /// The number of alerts.
  public var alerts = 0
  /// The number of alerts held back for each reason.
  public var suppressed: [String: Int] = [:]
  /// The number of places that were never watched; nil if unknown.
  public var neverMonitored: Int?
  /// Whether no unwatched circle ever came within reach; nil if the rules cannot tell.
  public var certified: Bool?
  /// The stretches where ``certified`` does not hold, in path order.
  public var uncertified: [UncertifiedSpan] = []
  /// The total length of the ``uncertified`` stretches in meters.
  public var uncertifiedMeters: Double { uncertified.reduce(0) { $0 + $1.lengthMeters } }
  /// The entries missed because of the limit on watched circles; nil if misses were not counted.
  public var misses: MissCounts?
  /// How reminders and places shared the phone's slots; nil without reminders.
  package var budget: BudgetSummary?
  /// The order of the fixes in the source; nil if they were in time order.
  public var order: Order?
  /// The fixes that came too late to be sorted; nil if fixes were not sorted.
  package var lateness: Lateness?
  /// The time rules that could not apply to entries without a time; used only in messages.
  package var rulesWithoutTime: RulesWithoutTime = []
  /// The kind of event that can become an alert; used only in messages.
  package var alertsOn = AlertTrigger.enter
  /// What the path lost at its breaks, and entries that may be drift.
  package var remarks = PathRemarks()
  /// The message of the error that ended the track early; nil if none did.
  public var error: String?

  /// An unusual order of fixes.
  ///
  /// Such a source must be whole before it can be followed.
  public enum Order: String, Codable, Sendable {
    /// Newest first; the source was read backward.
    case newestFirst = "newest-first"
  }

  /// Creates the summary of a track without fixes.
  package init(track: String, device: String? = nil) {
    self.track = track
    self.device = device
  }
}
