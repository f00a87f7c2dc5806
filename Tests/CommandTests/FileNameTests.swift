import Foundation
import TestSupport
import Testing

/// Files with names that give a command line trouble.
@Suite("File names")
struct FileNameTests {
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("track.csv", Fault.track)
    try scratch.write("places.csv", Fault.places)
    return scratch
  }

  /// Runs a line of the shell in which `fencepost` is the program, `$e` a name in Latin-1 and `$f`
  /// another one.
  private func run(_ line: String, in scratch: Scratch) throws -> String {
    try scratch.shell(
      "e=$(printf 'caf\\351.csv'); f=$(printf 'caf\\350.csv'); "
        + "fencepost() { '\(Command.executable.path)' \"$@\"; }; { \(line); } >said 2>&1")
    return try scratch.text("said")
  }

  @Test("A track whose name is not UTF-8 is read, and shown with repaired bytes")
  func latin1() throws {
    let scratch = try makeFolder()
    let said = try run(
      "mv track.csv $e; fencepost replay $e --places places.csv --quiet", in: scratch)
    #expect(said.contains(#""track":"caf\#u{FFFD}.csv","fixes":2"#))
    let missing = try run("fencepost replay $f --places places.csv || :", in: scratch)
    #expect(missing == "fencepost: caf\u{FFFD}.csv: no such file\n")
  }

  @Test("Places, stores, folders and patterns may have names that are not UTF-8")
  func latin1Elsewhere() throws {
    let scratch = try makeFolder()
    let replay = try run(
      "cp places.csv $e; fencepost replay track.csv --places $e --events summary", in: scratch)
    #expect(replay.contains(#""enters":1"#))
    let store = try run(
      "fencepost places import $e --store s && mv s $f && "
        + "fencepost replay track.csv --store=$f --events summary", in: scratch)
    #expect(store.contains(#""enters":1"#))
    for argument in ["d", "'d/c*.csv'"] {
      let analysis = try run(
        "mkdir -p d; cp track.csv d/$e; cp track.csv d/$f; "
          + "fencepost analyze \(argument) --places places.csv --quiet --verdicts none "
          + "--keep-duplicates --format ndjson", in: scratch)
      let tracks = analysis.split(separator: "\n").count { $0.hasPrefix(#"{"type":"track""#) }
      #expect(tracks == 2, "\(argument)")
    }
  }

  @Test("An output whose name is not UTF-8 is written, and inputs are still protected")
  func latin1Outputs() throws {
    let scratch = try makeFolder()
    let said = try run(
      "fencepost replay track.csv --places places.csv -o $e --quiet; cat $e; cp track.csv $f; "
        + "! fencepost replay $f --places places.csv -o ./$f", in: scratch)
    #expect(said.contains("alert,track.csv"))
    #expect(said.hasSuffix(", which --output would overwrite\n"))
    #expect(try run("cmp track.csv $f && ls -A | wc -l", in: scratch) == "5\n")
  }

  @Test("A name that begins with a dash gets a hint how to pass it")
  func dashes() throws {
    let scratch = try makeFolder()
    for name in ["-dash.gpx", "-walk.csv", "-h.csv"] {
      try scratch.write(name, Fault.track)
      let result = try Command.run(
        ["replay", name, "--places", "places.csv"], in: scratch.url)
      #expect(result.status == 64, "\(name)")
      #expect(result.output.isEmpty)
      #expect(
        result.errors.contains("to name the file “\(name)”, write ./\(name), or put -- before it"),
        "\(result.errors)")
      for words in [["./\(name)"], ["--", name]] {
        let read = try Command.run(
          ["replay", "--places", "places.csv", "--quiet"] + words, in: scratch.url)
        #expect(read.status == 0, "\(read.errors)")
        #expect(read.output.contains(#""fixes":2"#))
      }
    }
    #expect(try Command.run(["replay", "-dash-nowhere.gpx"], in: scratch.url).status == 64)
  }

  @Test(
    "-h still prints help where files may begin with a dash", arguments: [["-h"], ["-qh"], ["-hv"]])
  func help(words: [String]) throws {
    let result = try Command.run(["replay"] + words)
    #expect(result.status == 0)
    #expect(result.output.contains("USAGE\n  fencepost replay "))
  }
}
