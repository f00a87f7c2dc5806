import FencepostFormats

/// The profiles that come with the library.
///
/// Each is a file of the folder `Profiles`, which the build puts into the program.
package enum BuiltInProfile: String, CaseIterable, Sendable {
  /// The engine's own rule: nothing is late, nothing is lost.
  case ideal
  /// An app on an iPhone that monitors regions in the background.
  case iphone
  /// An app on Android that monitors geofences in the background.
  case android
  /// Tile38.
  case tile38
  /// Traccar's server.
  case traccar
  /// Home Assistant's zones.
  case homeAssistant = "home-assistant"
  /// OwnTracks on a phone.
  case ownTracks = "owntracks"
  /// Amazon Location Service.
  case aws
  /// Esri's geotriggers.
  case esri

  /// The profile's text.
  package var text: [UInt8] {
    switch self {
    case .ideal: PackageResources.ideal_json
    case .iphone: PackageResources.iphone_json
    case .android: PackageResources.android_json
    case .tile38: PackageResources.tile38_json
    case .traccar: PackageResources.traccar_json
    case .homeAssistant: PackageResources.home_assistant_json
    case .ownTracks: PackageResources.owntracks_json
    case .aws: PackageResources.aws_json
    case .esri: PackageResources.esri_json
    }
  }

  /// The profile; the tests read all of them, so that none has a fault.
  package var profile: PhoneProfile {
    let text = text
    do throws(ProfileError) {
      return try text.withSpan { text throws(ProfileError) in try PhoneProfile(parsing: text) }
    } catch {
      preconditionFailure("\(rawValue): \(error)")
    }
  }
}
