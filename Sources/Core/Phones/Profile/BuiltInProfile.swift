import FencepostFormats

/// The profiles that ship with the library, one per file in the folder `Profiles`.
///
/// The raw value is the name in options.
package enum BuiltInProfile: String, CaseIterable, Sendable {
  /// The engine's own rules: no alert is late or lost.
  case ideal
  /// An iPhone app that monitors regions in the background.
  case iphone
  /// An Android app that monitors geofences in the background.
  case android
  /// An iPhone 6 with iOS 12.3, held to exits reported in 2019.
  case iphone2019 = "iphone-2019"
  /// A Nexus 6 with Android 6.0.1, held to exits reported in 2019.
  case android2016 = "android-2016"
  /// The iPhone with the faults of CLMonitor that apps reported.
  case iphoneCLMonitor = "iphone-clmonitor"
  /// The Android phone with the delays that apps reported of Android 14.
  case android14 = "android-14"
  /// The geofencing server Tile38.
  case tile38
  /// The tracking server Traccar.
  case traccar
  /// The zones of Home Assistant.
  case homeAssistant = "home-assistant"
  /// OwnTracks on an iPhone, which leaves its regions to the system.
  case ownTracks = "owntracks"
  /// Amazon Location Service: a tracker with a collection of geofences.
  case aws
  /// The geotriggers of Esri, with the accuracy of the fixes.
  case esri

  /// The JSON of the profile.
  package var text: [UInt8] {
    switch self {
    case .ideal: PackageResources.ideal_json
    case .iphone: PackageResources.iphone_json
    case .android: PackageResources.android_json
    case .iphone2019: PackageResources.iphone_2019_json
    case .android2016: PackageResources.android_2016_json
    case .iphoneCLMonitor: PackageResources.iphone_clmonitor_json
    case .android14: PackageResources.android_14_json
    case .tile38: PackageResources.tile38_json
    case .traccar: PackageResources.traccar_json
    case .homeAssistant: PackageResources.home_assistant_json
    case .ownTracks: PackageResources.owntracks_json
    case .aws: PackageResources.aws_json
    case .esri: PackageResources.esri_json
    }
  }

  /// The parsed profile; cannot fail, because tests parse every file.
  package var profile: PhoneProfile {
    let text = text
    do throws(ProfileError) {
      return try text.withSpan { text throws(ProfileError) in try PhoneProfile(parsing: text) }
    } catch {
      preconditionFailure("\(rawValue): \(error)")
    }
  }
}

extension BuiltInProfile: ProfileWord {}
