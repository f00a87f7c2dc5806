import FencepostTracks
import FencepostFixes
import FencepostFormats
import Foundation
import Glibc
import FencepostHTTP
import FencepostLive
import FencepostPlaces
import FencepostSession
import FencepostStudio
import Synchronization
import TestSupport
import Testing

/// A map that accepts fixes, and the session that receives them.
final class IngestScene {
  let scene: MapScene
  private let control = LiveControl()
  private let ended = DispatchSemaphore(value: 0)

  init(
    log: PostLog = PostLog(), places: String = MapScene.places,
    _ change: (inout LiveMapOptions) throws -> Void = { _ in }
  ) throws {
    let intake = FixIntake()
    var store: PlaceStore?
    var session = TrackSessionOptions()
    scene = try MapScene(places: places) { options in
      var handling = FixIngestOptions()
      handling.log = log
      options.ingest = FixIngestHandler(intake: intake, options: handling)
      try change(&options)
      (store, session) = (options.store, options.session)
    }
    var options = LiveOptions(address: .intake(intake), addressName: "posted fixes")
    options.session = session
    options.deviceField = "device"
    options.output = try LiveOutput(path: "/dev/null")
    let places = try #require(store)
    Thread.detachNewThread { [options, control, ended, observer = scene.map.observer] in
      if let reader = try? places.makeReader() {
        let runner = LiveRunner(
          options: options, control: control, reader: reader, observer: observer,
          log: .saying { _, _, _ in })
        _ = runner.run()
      }
      ended.signal()
    }
  }

  deinit {
    control.stop()
    ended.wait()
  }

  func post(_ path: String, _ body: String, _ fields: [String] = []) throws -> RawClient {
    let client = try RawClient(port: scene.port)
    try client.post(path, body, ["Host: localhost"] + fields)
    try client.waitForClose()
    return client
  }

  func ask(
    _ method: String, _ path: String, _ body: String, _ fields: [String] = []
  ) throws -> RawClient {
    guard method == "GET" else { return try post(path, body, fields) }
    return try scene.get(path, ["Host: localhost"] + fields)
  }

  /// Posts bytes.
  func send(_ bytes: [UInt8], to path: String) throws -> RawClient {
    let client = try RawClient(port: scene.port)
    try client.send(
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(bytes.count)\r\n\r\n")
    try client.send(bytes)
    try client.waitForClose()
    return client
  }

  /// The names of the devices on the map.
  func devices() throws -> [String] {
    let state = try JSONValue(parsing: try scene.get("/state").body)
    return (state["devices"]?.array ?? []).compactMap { $0["device"]?.string }.sorted()
  }
}

/// The sentences that a log was given.
final class Heard: Sendable {
  private let contents = Mutex<[String]>([])

  var sentences: [String] { contents.withLock { $0 } }

  func add(_ sentence: String) { contents.withLock { $0.append(sentence) } }
}
