import Foundation
import Testing

@Suite("A hint at what was meant")
struct LiveHintTests {
  private static func run(_ arguments: [String], places: String = LiveSample.places) throws
    -> Command.Result
  {
    try Command.run(arguments + ["--places", places], input: "39.9,-75.1\n39.8,-75.1\n")
  }

  @Test(
    "comes with an address that lacks something",
    arguments: [
      ("localhost:1883", "mqtt://localhost:1883 for a message broker"),
      (
        "localhost:1883/owntracks/#",
        "For a topic of a message broker, write mqtt://localhost:1883/owntracks/#"
      ),
      ("mqtt:box/a", "For an address, write mqtt://box/a, with two slashes"),
      ("gpsd:/box", "For an address, write gpsd://box, with two slashes"),
      ("gpsd", "no such file: “gpsd”. Did you mean gpsd://localhost?"),
      ("localhost", "Did you mean gpsd://localhost?"),
      ("ttyUSB7", "no such file: “ttyUSB7”. Did you mean /dev/ttyUSB7?"),
      ("dev/ttyACM9", "Did you mean /dev/ttyACM9?"),
      ("full", "Did you mean /dev/full?"),
    ])
  func addresses(source: String, words: String) throws {
    let result = try Self.run(["live", source])
    #expect(result.status == 64)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test(
    "comes with an option that acts on nothing",
    arguments: [
      (["live", "-", "--mqtt-password-file", "x"], "--mqtt-password-file needs a message broker"),
      (["live", "-", "--mqtt-ca", "x"], "--mqtt-ca needs a message broker"),
      (["serve", "--mqtt-cert", "x", "--mqtt-key", "y"], "--mqtt-cert needs a message broker"),
      (
        ["live", "gpsd://box", "--mqtt-client-id", "x"],
        "--mqtt-client-id can only be used with a source"
      ),
      (
        ["live", "-", "--mqtt-discovery"], "--mqtt-discovery needs --mqtt\n"
      ),
      (
        ["live", "-", "--mqtt-discovery-prefix", "x"],
        "--mqtt-discovery-prefix needs --mqtt-discovery"
      ),
      (
        ["live", "mqtt://box", "--mqtt-password-file", "x"],
        "--mqtt-password-file needs the user's name in the address"
      ),
      (
        ["live", "mqtt://anna@box", "--mqtt-ca", "x"],
        "--mqtt-ca needs an encrypted connection, whose address begins with mqtts://"
      ),
      (
        ["live", "-", "--mqtt", "mqtt://anna@box/a", "--mqtt-key", "x", "--mqtt-cert", "y"],
        "--mqtt-cert needs an encrypted connection"
      ),
    ])
  func options(arguments: [String], words: String) throws {
    let result = try Self.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test(
    "comes with words of --exec that only a shell would replace",
    arguments: [
      ("echo $FENCEPOST_TITLE", "$FENCEPOST_TITLE"), ("echo \"in ${HOME} now\"", "in ${HOME} now"),
      ("cat | mail", "|"), ("cat > ~/alerts", ">"), ("echo `date`", "`date`"), ("touch ~/x", "~/x"),
    ])
  func exec(command: String, word: String) throws {
    let result = try Self.run(["live", "-", "--events", "alert", "--exec", command])
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "warning: --exec passes “\(word)” unchanged, because it uses no shell"
      ),
      "\(result.errors)")
    let shell = try Self.run(["live", "-", "--events", "alert", "--exec", command, "--exec-shell"])
    #expect(!shell.errors.contains("warning"), "\(shell.errors)")
  }

  @Test(
    "does not come with words of --exec that mean themselves",
    arguments: [
      "awk '{ print $1 | \"sort\" }'", "grep a$", "echo 5$ \\$HOME a~b", "echo \"a|b ~\" \\> x",
    ])
  func literal(command: String) throws {
    let result = try Self.run(["live", "-", "--events", "alert", "--exec", command])
    #expect(result.status == 0)
    #expect(!result.errors.contains("warning"), "\(result.errors)")
  }

  @Test(
    "comes with a program of --exec that only a shell would find", arguments: ["$HOME/x", "~/x"])
  func program(command: String) throws {
    let result = try Self.run(["live", "-", "--exec", command])
    #expect(result.status == 66)
    #expect(
      result.errors
        == "fencepost: \(command): no such program; --exec needs it; for shell syntax, "
        + "use --exec-shell\n"
    )
  }

  @Test("at gpsd comes with a receiver that another program has reserved")
  func reserved() throws {
    let line = try SerialEnd()
    let other = unsafe open(line.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0 && ioctl(other, UInt(TIOCEXCL)) == 0)
    let live = try LiveProcess(nil, ["live", line.path, "--places", LiveSample.places])
    try live.wait("not said") {
      $0.errorText.contains(
        "another program is using it, and a receiver serves only one; if that is gpsd, use "
          + "gpsd://localhost; waiting for it")
    }
    // It is free again.
    #expect(ioctl(other, UInt(TIOCNXCL)) == 0)
    close(other)
    let log = Array(try LiveSample.track("drive.nmea"))
    try live.wait("it is not read") {
      line.send(log)
      usleep(50_000)
      return $0.errorText.contains("reading at")
    }
    live.signal(SIGTERM)
    #expect(try live.end() == 143)
  }

  @Test(
    "at gpsd comes with a receiver that gpsd reads too",
    .enabled(if: Tool.has("gpsd"), "gpsd is not installed"))
  func shared() throws {
    let line = try SerialEnd()
    let gpsd = try LiveProcess(
      "gpsd", ["-N", "-n", "-S", "\(try Tool.holdPort())", line.path])
    let device = "/proc/\(gpsd.identifier)/cmdline"
    try gpsd.wait("gpsd does not run") { _ in
      try String(contentsOfFile: device, encoding: .utf8).contains(line.path)
    }
    let live = try LiveProcess(nil, ["live", line.path, "--places", LiveSample.places])
    try live.wait("not said") {
      $0.errorText.contains(
        "gpsd is reading it too, so each gets only a part; use gpsd://localhost instead")
    }
    live.signal(SIGTERM)
    #expect(try live.end() == 143)
    gpsd.signal(SIGTERM)
    try gpsd.end()
  }
}
