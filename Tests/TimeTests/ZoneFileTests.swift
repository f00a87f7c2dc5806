import FencepostTime
import Foundation
import Testing

@Suite("Files of the time zone database")
struct ZoneFileTests {
  @Test(
    "each zone has Python's offsets from 1900 to 2100, before and after each change",
    .enabled(if: Reference.canRun, "Python has no zoneinfo"))
  func offsets() throws {
    let zones = try Reference.zones()
    #expect(zones.count > 300)
    for zone in zones {
      let file = try #require(ZoneFile(named: zone.name), "\(zone.name)")
      let different = zone.offsets.filter { file.offsetSeconds(at: $0.seconds) != $0.offset }
      #expect(different.isEmpty, "\(zone.name): first at \(different.first?.seconds ?? 0)")
    }
  }

  @Test("a file that is cut off anywhere is refused or read, never more")
  func damaged() throws {
    let path = "/usr/share/zoneinfo/Europe/Berlin"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for count in 0..<bytes.count { _ = ZoneFile(Array(bytes.prefix(count)))?.offsetSeconds(at: 0) }
    #expect(ZoneFile([]) == nil)
    #expect(ZoneFile(Array(bytes.prefix(100))) == nil)
  }

  @Test(
    "a name cannot lead out of the folder", arguments: ["/etc/passwd", "../../../etc/passwd", ""])
  func names(name: String) { #expect(ZoneFile(named: name) == nil) }
}

/// The offsets that Python's `zoneinfo` reads from the same files.
private enum Reference {
  struct Zone: Decodable {
    struct Offset: Decodable {
      var seconds: Int64
      var offset: Int64
    }

    var name: String
    var offsets: [Offset]
  }

  /// Looks for changes in steps of 20 days, and then for the second of each.
  private static let script = """
    import datetime, json, os, zoneinfo
    first, last, step = -2208988800, 4102444800, 20 * 86400
    seen, zones = {}, []
    for name in sorted(zoneinfo.available_timezones()):
        path = "/usr/share/zoneinfo/" + name
        if "/" not in name or not os.path.exists(path): continue
        zone = zoneinfo.ZoneInfo(name)
        def offset(seconds):
            return int(datetime.datetime.fromtimestamp(seconds, zone).utcoffset().total_seconds())
        contents = open(path, "rb").read()
        if contents not in seen:
            found, before = [(first, offset(first))], first
            while before < last:
                after = before + step
                if offset(after) != offset(before):
                    low, high = before, after
                    while high - low > 1:
                        middle = (low + high) // 2
                        if offset(middle) == offset(low): low = middle
                        else: high = middle
                    found += [(low, offset(low)), (high, offset(high))]
                    before = high
                else:
                    before = after
            seen[contents] = found
            zones.append({"name": name, "offsets": [{"seconds": a, "offset": b} for a, b in found]})
    print(json.dumps(zones))
    """

  static func zones() throws -> [Zone] {
    try JSONDecoder().decode([Zone].self, from: run(script))
  }

  static var canRun: Bool { (try? run("import zoneinfo; print(1)").isEmpty) == false }

  private static func run(_ script: String) throws -> Data {
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-c", script]
    let pipe = Pipe()
    python.standardOutput = pipe
    python.standardError = FileHandle.nullDevice
    try python.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    python.waitUntilExit()
    return output
  }
}
