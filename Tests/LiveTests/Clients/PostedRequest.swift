import FencepostLive
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostHTTP
import FencepostTime
import Testing

/// A request as a client sends it, and what is read of it.
struct PostedRequest {
  /// The time of receipt: 2026-03-04T18:00:00Z.
  static let now: Int64 = 1_772_647_200_000

  let post: ClientPost?

  /// - Parameters:
  ///   - query: The query, encoded.
  ///   - body: The body.
  /// - Throws: If the query is malformed.
  init(query: String = "", body: String = "") throws {
    let items = try #require(HTTPRequest.items(ofForm: query))
    post = ClientPost(
      HTTPRequest(method: "POST", path: "/", query: items), Array(body.utf8),
      ClientPost.Context(deviceField: "device", now: Self.now))
  }

  var client: PostingClient? { post?.client }

  /// The records in words: `device time lat,lon accuracy speed course`, or `device reason`.
  var records: [String] { post?.records.map(Self.words) ?? [] }

  private static func words(_ record: DeviceRecord) -> String {
    switch record {
    case .fix(let device, let fix):
      let time = fix.timeMilliseconds.map(ISO8601.string) ?? "-"
      let motion = [fix.accuracyMeters, fix.speedMetersPerSecond, fix.courseDegrees].map {
        $0.isFinite ? "\(($0 * 100).rounded() / 100)" : "-"
      }
      let place = "\(fix.coordinate.latitudeDegrees),\(fix.coordinate.longitudeDegrees)"
      return "\(device ?? "-") \(time) \(place) \(motion.joined(separator: " "))"
    case .fault(let device, let rejection): return "\(device ?? "-") \(rejection.reason.rawValue)"
    }
  }
}
