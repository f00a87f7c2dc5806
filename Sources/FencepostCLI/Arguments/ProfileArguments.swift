import ArgumentParser
import Fencepost
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces

/// The phone or engine whose rules a session follows, as an option.
struct ProfileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow the rules of a phone or another engine: a profile’s name or file.",
      discussion: """
        ‘fencepost profiles list’ names those that are built in. Its limits, refreshes, tests and \
        confirmations apply, except where another option says otherwise; what it leaves to chance does not. \
        The places are read once, at the start.
        """,
      valueName: "profile"))
  var profile: String?

  /// The profile's rules, nil without one.
  ///
  /// - Throws: The errors of ``ProfileFiles/profile(_:)``.
  func rules() throws -> PhoneRules? {
    try profile.map { PhoneRules(try ProfileFiles.profile($0)) }
  }
}

extension PhoneRules {
  /// A store of the places as the phone notices them.
  ///
  /// Says how many places the phone cannot monitor.
  ///
  /// - Parameter store: The store of the places.
  /// - Returns: The same store, or one in memory if the phone notices circles elsewhere.
  /// - Throws: `PlaceStoreError`.
  func noticed(_ store: PlaceStore) throws(PlaceStoreError) -> PlaceStore {
    guard changesCircles else { return store }
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    let kept = noticed(places)
    if kept.count < places.count {
      StandardError.say(
        "\(profile.name) cannot monitor \(places.count - kept.count) of \(places.count) places, whose circles "
          + "are too large or too small for it")
    }
    return try PlaceStore.inMemory(of: kept, path: store.path)
  }
}
