import Foundation
import TestSupport
import Testing

@Suite("A hint at what was meant")
struct LiveHintTests {
  private static func run(_ arguments: [String], places: String = LiveSample.places) throws
    -> Command.Result
  {
    try Command.run(arguments + ["--places", places], input: "39.9,-75.1\n39.8,-75.1\n")
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
      return $0.errorText.contains("reading at")
    }
    try live.stop()
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
    try live.stop()
    gpsd.signal(SIGTERM)
    try gpsd.end()
  }
}
