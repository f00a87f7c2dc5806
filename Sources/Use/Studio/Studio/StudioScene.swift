#if Command
package import FencepostSession
package import FencepostAnalysis
package import FencepostMonitoring
package import FencepostNotifications
import FencepostPhones
package import FencepostPlaces
package import FencepostTracks

/// What a studio shows: tracks, places and the initial rules.
///
/// The command reads everything once; pages then change copies of it.
package struct StudioScene: Sendable {
  /// The walks to choose from.
  package var tracks: [RecordedTrack]
  /// Sentences about tracks that could not be read completely.
  package var notices: [String]
  /// The stories before any change.
  package var store: PlaceStore
  /// Whether changes can be saved, which requires a store in a file.
  package var canSave: Bool
  /// The rules and the phone with which a page opens.
  package var setting: StudioSetting
  /// The phones and engines to choose from.
  package var phones = BuiltInProfile.allCases.map {
    StudioPhone(word: $0.rawValue, profile: $0.profile)
  }
  /// The time zone of displayed times.
  package var zone: ClockZone
  /// How to decode dropped files.
  package var fixes: FixStreamOptions
  /// The words after `fencepost replay` that name tracks and places, to copy as a command line.
  package var arguments: [String]
  /// Reminders beside the stories; nil to show nothing about reminders.
  package var reminders: ReminderWatchOptions?
  /// The initial lines of advice, each a JSON object.
  package var advice: [String] = []

  /// Writes places as `csv` or `geojson` and returns media type and bytes; nil for other formats.
  package var export: @Sendable ([Place], String) -> (type: String, body: [UInt8])? = { _, _ in nil
  }

  /// Reads and writes files of rules; nil if the studio offers none.
  package var rulesText: RulesText?

  /// Creates a scene with the built-in phones, and without reminders, advice or export.
  package init(
    tracks: [RecordedTrack], notices: [String] = [], store: PlaceStore, canSave: Bool,
    setting: StudioSetting, zone: ClockZone = .utc,
    fixes: FixStreamOptions = FixStreamOptions(), arguments: [String] = []
  ) {
    self.tracks = tracks
    self.notices = notices
    self.store = store
    self.canSave = canSave
    self.setting = setting
    self.zone = zone
    self.fixes = fixes
    self.arguments = arguments
  }
}

extension PlaceStore {
  /// All places with all of their fields.
  ///
  /// - Throws: `PlaceStoreError`.
  package func allPlaces() throws(PlaceStoreError) -> [Place] {
    var places: [Place] = []
    try makeReader().list { place in
      places.append(place)
      return true
    }
    return places
  }
}
#endif
