import Foundation
import FencepostStateDatabase
import FencepostStateFile
import TestSupport
import Testing

/// The bytes of a log on every way into a session, against its replay.
@Suite("A log sent over the network")
struct LiveStreamTests {
  private static let logs = [
    "walk.nmea", "drive.nmea", "ride.gpsd.jsonl", "ride.owntracks.jsonl", "ride.csv", "ride.gpx",
    "ride.gpx.gz", "walk.gpx", "standstill.gpx", "drive.gpx",
  ]
  private static let events = ["--events", "alert,suppressed,enter,exit,refresh"]

  private static func start(_ source: String, _ more: [String] = []) throws -> LiveProcess {
    try LiveProcess(
      nil,
      ["live", source, "--places", LiveSample.places, "--track", "stdin"] + events + more)
  }

  @Test("gives over tcp the lines of its replay, byte for byte", arguments: logs)
  func tcp(log: String) throws {
    let bytes = try LiveSample.track(log)
    let expected = try LiveSample.replayed(bytes, Self.events)
    let server = try TalkServer()
    defer { server.stop() }
    let live = try Self.start("tcp://127.0.0.1:\(server.port)")
    try live.wait("no connection") { _ in server.connectionCount == 1 }
    server.say(bytes)
    try live.wait("lines are missing") { $0.lines.count >= expected.count }
    try live.stop()
    #expect(live.lines == expected)
  }

  /// How a log is cut into datagrams.
  enum Cut: String, CaseIterable, CustomTestStringConvertible {
    case lines, linesWithoutEnd, anywhere, withEmptyOnes
    var testDescription: String { rawValue }

    func pieces(of bytes: Data) -> [Data] {
      switch self {
      case .lines, .withEmptyOnes:
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          .flatMap { line in
            let whole = Data(line) + Data([UInt8(ascii: "\n")])
            return self == .lines ? [whole] : [Data(), whole]
          }
      case .linesWithoutEnd:
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
          Data(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
      case .anywhere:
        var pieces: [Data] = []
        var rest = bytes
        var length = 7
        while !rest.isEmpty {
          pieces.append(Data(rest.prefix(length)))
          rest = rest.dropFirst(length)
          length = (length * 31 + 11) % 257 + 1
        }
        return pieces
      }
    }
  }

  @Test(
    "gives over udp the lines of its replay, however it is split",
    arguments: ["drive.nmea", "ride.gpsd.jsonl", "ride.owntracks.jsonl"], Cut.allCases)
  func udp(log: String, cut: Cut) throws {
    let bytes = try LiveSample.track(log)
    let expected = try LiveSample.replayed(bytes, Self.events)
    let port = try Tool.holdPort()
    let scratch = try Scratch()
    let live = try Self.start(
      "udp://127.0.0.1:\(port)", ["--state", scratch.path("state")])
    try live.wait("it does not listen") { $0.errorText.contains("listening") }
    let sender = DatagramSender(port: port)
    var waitingCount = 0
    for piece in cut.pieces(of: bytes) {
      sender.send(piece)
      waitingCount += piece.count
      // The system drops what it has no room for.
      guard waitingCount > 8000 else { continue }
      waitingCount = 0
      try live.wait("it is not read") { _ in try DatagramSender.unreadBytes(port: port) == 0 }
    }
    try live.wait("lines are missing") { $0.lines.count >= expected.count }
    try live.stop()
    #expect(live.lines == expected)
  }

  @Test("that is no track is reported once")
  func noTrack() throws {
    let server = try TalkServer()
    defer { server.stop() }
    let live = try Self.start("tcp://127.0.0.1:\(server.port)")
    try live.wait("no connection") { _ in server.connectionCount == 1 }
    for _ in 0..<50 {
      server.say("<html><body>This is a web server and nothing else</body></html>\r\n\r\n")
    }
    try live.wait("it is not told") { $0.errorText.contains("tcp://") && $0.errorText.count > 80 }
    server.say(try LiveSample.track("drive.nmea"))
    try live.wait("no events after it") { !$0.lines.isEmpty }
    try live.stop()
    #expect(live.errorText.split(separator: "\n").count <= 3, "\(live.errorText)")
  }

  @Test("after foreign lines gives the lines of its replay, byte for byte")
  func behindForeignLines() throws {
    let bytes = try LiveSample.track("drive.nmea")
    let expected = try LiveSample.replayed(bytes, Self.events)
    let server = try TalkServer()
    defer { server.stop() }
    let live = try Self.start("tcp://127.0.0.1:\(server.port)")
    try live.wait("no connection") { _ in server.connectionCount == 1 }
    let page = "<html><body>This is a web server and nothing else</body></html>\r\n\r\n"
    server.say(Data(String(repeating: page, count: 50).utf8) + bytes)
    try live.wait("lines are missing") { $0.lines.count >= expected.count }
    try live.stop()
    #expect(live.lines == expected)
  }

  @Test("that falls silent is reconnected, which is reported once until data comes")
  func silence() throws {
    let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
    let server = try TalkServer(greeting: greeting)
    defer { server.stop() }
    let live = try Self.start("gpsd://127.0.0.1:\(server.port)", ["--idle-timeout", "100ms"])
    try live.wait("it does not connect again") {
      server.connectionCount >= 3 && $0.errorText.contains("silent for 100 ms")
        && $0.errorText.contains("connected")
    }
    #expect(live.errorText.components(separatedBy: "silent for 100 ms").count == 2)
    #expect(live.errorText.components(separatedBy: "connected").count == 2)
    let log = try LiveSample.track("ride.gpsd.jsonl")
    try live.wait("it does not talk again") {
      server.say(log)
      return $0.errorText.contains("sending again")
    }
    try live.stop(by: SIGINT)
  }
}

@Suite("A serial line")
struct LiveSerialTests {
  private static let noise: [UInt8] = (0..<256).map { UInt8(truncatingIfNeeded: $0 * 97 + 13) }

  @Test(
    "is tried at every usual speed until checksums match",
    arguments: [(4800, B4800), (57_600, B57600), (19_200, B19200)])
  func search(rate: Int, code: Int32) throws {
    let line = try SerialEnd()
    let live = try LiveProcess(
      nil, ["live", line.path, "--places", LiveSample.places, "--events", "alert"])
    let log = try LiveSample.track("drive.nmea")
    let void = LiveIdentityTests.sentence("GPRMC,195900.00,V,,,,,,,040326,,,N")
    try live.wait("the speed is not found") {
      // At any other speed a receiver's bytes come as others.
      line.send(line.speed == speed_t(code) ? Array(void.utf8) : Self.noise)
      return $0.errorText.contains("reading at \(rate) baud")
    }
    line.send(Array(log))
    let expected = try LiveSample.replayed(log, ["--events", "alert"]).count
    try live.wait("alerts are missing") { $0.lines.count >= expected }
    try live.stop()
    #expect(live.lines.count == expected)
    #expect(!live.errorText.contains("no NMEA 0183 sentence"))
  }

  @Test("without valid data at any speed is reported once")
  func fruitless() throws {
    let line = try SerialEnd()
    let live = try LiveProcess(nil, ["live", line.path, "--places", LiveSample.places])
    try live.wait("it is not told") {
      line.send(Self.noise)
      return $0.errorText.contains("no NMEA 0183 sentence came at any speed")
    }
    try live.stop()
    #expect(live.errorText.split(separator: "\n").count == 1)
  }

  @Test(
    "has the requested speed",
    arguments: [
      ("50", B50), ("1200", B1200), ("4800", B4800), ("9600", B9600), ("19200", B19200),
      ("38400", B38400), ("57600", B57600), ("115200", B115200), ("460800", B460800),
      ("4000000", B4000000),
    ])
  func speed(name: String, code: Int32) throws {
    let line = try SerialEnd()
    let live = try LiveProcess(
      nil, ["live", line.path, "--baud", name, "--places", LiveSample.places])
    try live.wait("it is not read") { $0.errorText.contains("reading at \(name) baud") }
    #expect(line.speed == speed_t(code))
    try live.stop()
  }
}
