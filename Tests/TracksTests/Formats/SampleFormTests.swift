import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

/// The samples were written by a script that shares nothing with the decoders.
@Suite("One ride in the forms that phones, watches and services export")
struct SampleFormTests {
  private static let data =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Data/"

  private func fixes(_ path: String) throws -> (fixes: [Fix], format: TrackFormat?) {
    var reader = try FixReader(path: Self.data + path)
    var batch = FixBatch()
    var fixes: [Fix] = []
    while try reader.read(into: &batch) {
      fixes += batch.fixes
      #expect(batch.rejections.allSatisfy { $0.reason == .duplicate })
    }
    return (fixes, reader.format)
  }

  /// The format, and how far positions may be off in degrees.
  static let forms: [(file: String, format: TrackFormat, degrees: Double)] = [
    ("ride.tcx", .tcx, 0), ("ride.kml", .kml, 0), ("ride.kmz", .kml, 0), ("ride.fit", .fit, 5e-8),
    ("ride.igc", .igc, 1e-7), ("ride.plt", .plt, 0), ("20260304183000.plt", .plt, 0),
    ("ride.geojson", .geoJSON, 0), ("ride.mfjson", .geoJSON, 0),
    ("ride.rec", .ownTracksRecorder, 0), ("Records.json", .googleRecords, 0),
    ("Timeline.json", .googleTimeline, 0), ("takeout.zip", .googleRecords, 0),
  ]

  @Test("has the fixes of its GPX file", arguments: forms.indices)
  func same(index: Int) throws {
    let form = Self.forms[index]
    let ride = try fixes("tracks/ride.gpx").fixes
    let read = try fixes("forms/" + form.file)
    #expect(read.format == form.format)
    #expect(read.fixes.count == ride.count)
    for (fix, original) in zip(read.fixes, ride) {
      #expect(fix.timeMilliseconds == original.timeMilliseconds)
      #expect(isNear(fix, original, degrees: form.degrees), "\(form.file): \(fix.coordinate)")
      #expect(fix.segmentIndex == 0 && fix.trackIndex == 0)
    }
  }

  private func isNear(_ a: Fix, _ b: Fix, degrees: Double) -> Bool {
    abs(a.coordinate.latitudeDegrees - b.coordinate.latitudeDegrees) <= degrees
      && abs(a.coordinate.longitudeDegrees - b.coordinate.longitudeDegrees) <= degrees
  }

  @Test("of iOS has the fixes of whole minutes")
  func wholeMinutes() throws {
    let ride = try fixes("tracks/ride.gpx").fixes
    let read = try fixes("forms/location-history.json").fixes
    #expect(read.count == 37)
    for fix in read {
      #expect(
        ride.contains { $0.timeMilliseconds == fix.timeMilliseconds && isNear($0, fix, degrees: 0) }
      )
    }
  }

  @Test("of a semantic month is a journey, and then a visit")
  func semanticMonth() throws {
    let ride = try fixes("tracks/ride.gpx").fixes
    let read = try fixes("forms/2026_MARCH.json").fixes
    // The visit begins where and when the journey ends: that fix is a duplicate.
    #expect(read.count == ride.count + 1)
    #expect(read.last?.segmentIndex == 1)
  }
}
