import FencepostSession
import Foundation
import FencepostLive
import SampleStories
import FencepostPlaces
import Synchronization
import TestSupport
import Testing

/// A live session within the test, fed in chunks through a named pipe.
private final class FedSession: Sendable {
  private let sentences = Mutex<[String]>([])
  private let events = Mutex<[String]>([])
  private let ending = DispatchSemaphore(value: 0)

  /// Runs a session over chunks of input, each read before the next is written.
  ///
  /// - Returns: Its sentences and its events.
  static func run(_ pieces: [ArraySlice<UInt8>]) throws -> (sentences: [String], events: [String]) {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let isMade = unsafe mkfifo(path, 0o600) == 0
    try #require(isMade)
    defer { _ = unsafe unlink(path) }
    // Open for both directions, so that the session always finds a writer.
    let writing = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(writing >= 0)
    defer { close(writing) }
    let session = FedSession()
    let control = try session.start(path)
    for piece in pieces where !piece.isEmpty {
      var rest = Array(piece)[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(writing, $0.baseAddress, $0.count) }
        try #require(count > 0)
        rest = rest.dropFirst(count)
      }
      try session.waitUntilEmpty(writing)
    }
    // It ends when it has processed what it has read.
    control.stop()
    #expect(session.ending.wait(timeout: .now() + Bell.limitSeconds) == .success)
    return (session.sentences.withLock { $0 }, session.events.withLock { $0 })
  }

  private func start(_ path: String) throws -> LiveControl {
    var options = LiveOptions(address: .device(path: path), addressName: "source")
    // The observer receives the events.
    options.output = try LiveOutput(path: "/dev/null")
    let control = LiveControl()
    let stories = SampleStories.data.appendingPathComponent("stories/philadelphia.csv").path
    let store = try PlaceStore.inMemory(from: [stories]).store
    Thread.detachNewThread { [options, self] in
      let observer: LiveObserver = { update in
        guard case .event(let event) = update else { return }
        // The session stops at any moment, so its summary may miss the last epoch.
        if case .summary = event { return }
        self.events.withLock { $0.append("\(event)") }
      }
      // Without a reader there are no events, and the test fails.
      if let reader = try? store.makeReader() {
        let runner = LiveRunner(
          options: options, control: control, reader: reader, observer: observer,
          log: .saying { sentence, _, _ in
            self.sentences.withLock { $0.append(sentence) }
          })
        _ = runner.run()
      }
      self.ending.signal()
    }
    return control
  }

  private func waitUntilEmpty(_ descriptor: Int32) throws {
    try Bell().wait("it is not read") {
      var count: Int32 = 1
      // The system writes an `Int32` into ours.
      let isKnown = unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0
      try #require(isKnown)
      return count == 0
    }
  }
}

@Suite("Foreign lines before a track")
struct ForeignLineTests {
  private static let page = Array(
    "<html><body>This is a web server and nothing else</body></html>\r\n\r\n".utf8)

  private static func track() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: SampleStories.track("drive.nmea"))))
  }

  @Test("lose nothing of it and are reported once, wherever the input is split")
  func everyCut() throws {
    let track = try Self.track()
    let expected = try FedSession.run([track[...]]).events
    #expect(expected.contains { $0.hasPrefix("alert") })
    let foreign = Self.page + Self.page
    let all = foreign + track
    let line = try #require(track.firstIndex(of: UInt8(ascii: "\n")))
    for cut in 0...(foreign.count + line + 1) {
      let (sentences, events) = try FedSession.run([all[..<cut], all[cut...]])
      #expect(events.elementsEqual(expected), "cut at \(cut): \(events.count) events")
      #expect(sentences.filter { $0.contains("an HTML page") }.count == 1, "cut at \(cut)")
    }
  }

  @Test("may come in many chunks, or in one with the track")
  func pieces() throws {
    let track = try Self.track()
    let expected = try FedSession.run([track[...]]).events
    let many = Array(repeatElement(Self.page, count: 400).joined())
    #expect(try FedSession.run([many[...], (many + track)[...]]).events == expected)
    let bytes = Self.page + track
    let single = (0..<Self.page.count).map { bytes[$0...$0] }
    #expect(try FedSession.run(single + [bytes[Self.page.count...]]).events == expected)
  }

  @Test("may be of any unrecognized kind")
  func kinds() throws {
    let track = try Self.track()
    let expected = try FedSession.run([track[...]]).events
    for text in ["<svg>\n", "<\n<\n", "\n\n<a/>\r\n", "[1,2]\n"] {
      let bytes = Array(text.utf8)
      for cut in 0...bytes.count {
        let all = bytes + track
        let events = try FedSession.run([all[..<cut], all[cut...]]).events
        #expect(events.elementsEqual(expected), "\(text.debugDescription) cut at \(cut)")
      }
    }
  }
}
