package import FencepostAnalysis
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPlaces
package import FencepostTracks

/// What a studio shows: tracks, places and the rules to begin with.
package struct StudioScene: Sendable {
  /// The tracks, in order.
  package var tracks: [RecordedTrack]
  /// Sentences about tracks that could not be read, or not wholly.
  package var notices: [String]
  /// The places.
  package var store: PlaceStore
  /// Whether changes can be saved: the store is a file of its own.
  package var canSave: Bool
  /// The rules to begin with.
  package var setting: StudioSetting
  /// The phones and engines to choose from.
  package var phones: [StudioPhone] = StudioPhone.builtIn
  /// Whose clock times are told by.
  package var zone: ClockZone
  /// How bytes of dropped files become fixes.
  package var fixes: FixStream.Options
  /// The words after `fencepost replay` that name the tracks and the places, for a command line to copy.
  package var arguments: [String]
  /// The lines of advice to begin with, each a JSON object.
  package var advice: [String] = []

  /// Writes places in a form, `csv` or `geojson`: the type of the file and its bytes; nil for any other form.
  package var export: @Sendable ([Place], String) -> (type: String, body: [UInt8])? = { _, _ in nil }

  /// Makes a scene of its parts.
  package init(
    tracks: [RecordedTrack], notices: [String] = [], store: PlaceStore, canSave: Bool,
    setting: StudioSetting, zone: ClockZone = .utc,
    fixes: FixStream.Options = FixStream.Options(), arguments: [String] = []
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
