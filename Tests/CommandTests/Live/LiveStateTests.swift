import Foundation
import FencepostStateDatabase
import FencepostStateFile
import TestSupport
import Testing

@Suite("A session's state file")
struct LiveStateTests {
  private static let log = "drive.nmea"

  private static func run(_ state: String, _ more: [String] = []) throws -> LiveProcess {
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--state", state] + more)
    try live.write(try LiveSample.track(log))
    try live.closeInput()
    return live
  }

  /// Expects the same alerts as without a state, and an exit status for the loss.
  private static func expectWithout(_ live: LiveProcess, _ words: String) throws {
    #expect(try live.end() == 74)
    #expect(live.errorText.contains(words), "\(live.errorText)")
    #expect(live.errorText.contains("continuing without it"))
    #expect(live.lines == (try LiveSample.replayed(try LiveSample.track(log))))
  }

  @Test("that another session uses is left to it")
  func twoSessions() throws {
    let scratch = try Scratch()
    let state = scratch.path("state")
    let bytes = try LiveSample.track(Self.log)
    let first = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--state", state])
    try first.write(bytes.prefix(bytes.count / 2))
    try first.wait("the input was not read") { _ in
      try LiveSample.consumedCount(state) == bytes.count / 2
    }
    try Self.expectWithout(try Self.run(state), "another program is using it")
    #expect(try LiveSample.consumedCount(state) == bytes.count / 2)
    try first.write(bytes.dropFirst(bytes.count / 2))
    try first.finish()
    #expect(first.lines == (try LiveSample.replayed(bytes)))
  }

  @Test("that holds something else is left untouched")
  func otherUse() throws {
    let scratch = try Scratch()
    let file = try StateDatabase(path: scratch.path("state"))
    try file.update { try $0.put(kind: "scheduler", id: "a", value: [1, 2]) }
    try file.close()
    try Self.expectWithout(try Self.run(scratch.path("state")), "the state of something else")
    #expect(try Self.kinds(scratch.path("state")) == ["scheduler"])
  }

  @Test("of a newer version, or that cannot be read, is left untouched")
  func foreignDocuments() throws {
    let scratch = try Scratch()
    let identity = #"{"version":99,"rule":"","instance":"x"}"#
    let cases = [
      ("live", "identity", identity, "newer version"),
      ("live", "checkpoint", "{}", "cannot be understood"),
      ("session", "", "no JSON", "cannot be understood"),
      ("owed/exec", "0", "[]", "cannot be understood"),
    ]
    for (index, (kind, id, body, words)) in cases.enumerated() {
      let path = scratch.path("state\(index)")
      let file = try StateDatabase(path: path)
      try file.update { try $0.put(kind: kind, id: id, body: Data(body.utf8)) }
      try file.close()
      try Self.expectWithout(try Self.run(path), words)
      let after = try StateDatabase(path: path)
      #expect(try after.body(kind: kind, id: id) == Data(body.utf8))
      #expect(try after.update { try $0.kinds() } == [kind])
      try after.close()
    }
  }

  private static func kinds(_ path: String) throws -> [String] {
    let file = try StateDatabase(path: path)
    defer { try? file.close() }
    return try file.update { try $0.kinds() }
  }

  @Test("works with another store: the monitored set is refreshed")
  func otherStore() throws {
    let scratch = try Scratch()
    let one = try scratch.write("one.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let two = try scratch.write(
      "two.csv", "id,title,lat,lon,radius\nfar,Far,50,-75,50\nb,B,40.001,-75,50\n")
    let walk = [39.99, 40.0, 40.0004, 40.001].enumerated().map {
      "{\"_type\":\"location\",\"tst\":\(1_772_649_000 + 60 * $0),\"lat\":\($1),\"lon\":-75}\n"
    }
    var places: [String] = []
    for (store, lines) in [(one, walk[..<2]), (two, walk[2...])] {
      let live = try LiveProcess(
        nil,
        [
          "live", "-", "--places", store, "--state", scratch.path("state"), "--events", "alert",
        ])
      try live.write(Data(lines.joined().utf8))
      try live.finish()
      places += live.lines.compactMap { line in
        line.firstMatch(of: /"place":"([^"]*)"/).map { String($0.1) }
      }
    }
    #expect(places == ["a", "b"])
  }

  /// A private file system, which needs the right to make a name space.
  private static let canMount: Bool = {
    guard Tool.has("unshare") else { return false }
    let trial = try? LiveProcess("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
    return (try? trial?.end()) == 0
  }()

  @Test(
    "on a full disk is reported, alerts still come, and what was saved stays sound",
    .enabled(if: canMount, "this user may not make a file system"))
  func fullDisk() throws {
    let scratch = try Scratch()
    let live = try Self.mounted(
      scratch,
      """
      mount -t tmpfs -o size=128k none "$4" || exit 99
      "$0" live - --places "$1" --state "$4/state" < "$2"
      echo "status $?" >&2
      "$0" live - --places "$1" --state "$4/state" < /dev/null >/dev/null
      """)
    #expect(try live.end() == 0 || live.errorText.contains("state"))
    #expect(live.errorText.contains("status 74"))
    #expect(live.errorText.contains("no space left"))
    #expect(!live.errorText.contains("damaged"))
    #expect(live.lines == (try LiveSample.replayed(try LiveSample.track("walk.nmea"))))
  }

  @Test(
    "that cannot be created on a full disk is used as soon as there is room",
    .enabled(if: canMount, "this user may not make a file system"))
  func roomLater() throws {
    let scratch = try Scratch()
    // The log in two halves, with room only for the second, and then nothing at all.
    let live = try Self.mounted(
      scratch,
      """
      mount -t tmpfs -o size=16m none "$4" || exit 99
      cat /dev/zero > "$4/ballast" 2>/dev/null
      exec 3<&0
      "$0" live - --places "$1" --state "$4/state" <&3 &
      read word < "$3/told"
      rm "$4/ballast"
      echo room >&2
      wait $!
      echo "status $?" >&2
      ls "$4" >&2
      "$0" live - --places "$1" --state "$4/state" --events all < /dev/null
      """)
    let log = try LiveSample.track("walk.nmea")
    try live.write(log.prefix(2000))
    try Self.makeRoom(live, scratch, then: log.dropFirst(2000))
    #expect(try live.end() == 0)
    #expect(live.errorText.components(separatedBy: "no space left").count == 2)
    #expect(live.errorText.contains("status 0\nstate\n"))
    let expected = try LiveSample.replayed(try LiveSample.track("walk.nmea"))
    // The second session counts what the first one had.
    #expect(live.lines == expected + expected.suffix(1))
  }

  @Test(
    "of an earlier session is read on a full disk, and continues when there is room",
    .enabled(if: canMount, "this user may not make a file system"))
  func earlierOnFullDisk() throws {
    let scratch = try Scratch()
    let live = try Self.mounted(
      scratch,
      """
      mount -t tmpfs -o size=16m none "$4" || exit 99
      head -c 2000 "$2" | "$0" live - --places "$1" --state "$4/state" --events alert
      cat /dev/zero > "$4/ballast" 2>/dev/null
      exec 3<&0
      "$0" live - --places "$1" --state "$4/state" --events alert <&3 &
      read word < "$3/told"
      rm "$4/ballast"
      echo room >&2
      wait $!
      echo "status $?" >&2
      "$0" live - --places "$1" --state "$4/state" < /dev/null
      """)
    let log = try LiveSample.track("walk.nmea")
    try live.write(log[2000..<3000])
    try Self.makeRoom(live, scratch, then: log.dropFirst(3000))
    #expect(try live.end() == 0)
    #expect(live.errorText.contains("resumed after byte 2000"), "\(live.errorText)")
    #expect(live.errorText.contains("status 0\n"))
    let expected = try LiveSample.replayed(
      try LiveSample.track("walk.nmea"), ["--events", "alert,summary"])
    #expect(live.lines == expected, "\(live.errorText)")
  }

  @Test(
    "on a read-only disk is reported, alerts still come, and it is left untouched",
    .enabled(if: canMount, "this user may not make a file system"))
  func readOnly() throws {
    let scratch = try Scratch()
    let live = try Self.mounted(
      scratch,
      """
      mount -t tmpfs none "$4" || exit 99
      "$0" live - --places "$1" --state "$4/state" < /dev/null >/dev/null 2>&1
      cp "$4/state" "$4/copy"
      mount -o remount,ro "$4" || exit 99
      "$0" live - --places "$1" --state "$4/state" < "$2"
      echo "status $?" >&2
      "$0" live - --places "$1" --state "$4/new" < /dev/null >/dev/null
      cmp "$4/state" "$4/copy" && echo unchanged >&2
      """)
    #expect(try live.end() == 0)
    #expect(live.errorText.contains("status 74"))
    #expect(live.errorText.contains("unchanged"))
    #expect(live.errorText.components(separatedBy: "it cannot be written").count == 3)
    #expect(live.lines == (try LiveSample.replayed(try LiveSample.track("walk.nmea"))))
  }

  /// Has the script remove its ballast once the full disk was said, and feeds the session until it saves again.
  private static func makeRoom(
    _ live: LiveProcess, _ scratch: Scratch, then rest: Data
  ) throws {
    try live.wait("it is not told") { $0.errorText.contains("no space left") }
    let told = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path("told")))
    try told.write(contentsOf: Data("room\n".utf8))
    try told.close()
    try live.wait("no room") { $0.errorText.contains("room\n") }
    var rest = rest
    try live.wait("the state is not saved again") {
      if $0.errorText.contains("the state is being saved again") { return true }
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }.count + 1
      try $0.write(rest.prefix(line))
      rest = rest.dropFirst(line)
      return false
    }
    try live.write(rest)
    try live.closeInput()
  }

  /// Runs a script in a private name space, with the program, the places, a log and an empty
  /// folder.
  private static func mounted(_ scratch: Scratch, _ script: String) throws -> LiveProcess {
    let folder = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try #require(unsafe mkfifo(scratch.path("told"), 0o600) == 0)
    return try LiveProcess(
      "unshare",
      [
        "-rm", "sh", "-c", script, Command.executable.path, LiveSample.places,
        LiveSample.path("walk.nmea"), scratch.url.path, folder,
      ])
  }
}
