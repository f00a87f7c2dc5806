import FencepostMonitoring
import FencepostPlaces
import Foundation

/// A sample for those who have no stories and no track yet: a ride past the stories of an invented newsroom.
enum StudioSample {
  /// The name of the track.
  static let trackName = "sample-ride.gpx"
  /// The track, compressed.
  static var track: [UInt8] { PackageResources.sample_ride_gpx_gz }

  /// The stories.
  ///
  /// - Throws: The error of a file system that takes no temporary file.
  static func places() throws -> [Place] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fencepost-sample-" + UUID().uuidString)
    try Data(PackageResources.sample_stories_csv_gz).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var places: [Place] = []
    try PlaceStore.inMemory(from: [file.path]).store.makeReader().list { place in
      places.append(place)
      return true
    }
    return places
  }
}
