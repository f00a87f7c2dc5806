import Foundation
import Synchronization
import TestSupport
import Testing

/// Every alert reaches the address or is reported as lost.
@Suite("A webhook", .enabled(if: Tool.has("curl"), "curl is not installed"))
struct LiveWebhookTests {
  /// The keys of requests, without repetitions.
  private static func keys(_ requests: [HookServer.Request]) -> Set<String> {
    Set(requests.map { $0.header("Idempotency-Key") })
  }

  @Test("gets every alert despite failures and kills")
  func everyAlert() throws {
    // The answers of a server that has moved, is being set up, is overloaded or is down.
    let replies: [[HookServer.Reply]] = [
      [.init(status: 301, headers: ["Location: http://127.0.0.1:1/"]), .init(status: 400)],
      [.init(status: 404), .init(status: 410)],
      [
        .init(status: 429, headers: ["Retry-After: 2"]),
        .init(
          status: 503,
          headers: [
            "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:39 GMT",
          ]),
      ],
    ]
    let session = Mutex(0)
    let answered = Mutex(0)
    let server = try HookServer { _, _ in
      let number = answered.withLock { number in
        defer { number += 1 }
        return number
      }
      let present = replies[session.withLock { $0 }]
      return number < present.count ? present[number] : .init(status: 200)
    }
    defer { server.stop() }
    let scratch = try Scratch()
    let arguments = ["--state", scratch.path("state"), "--webhook", server.url]
    var lines: [String] = []
    for number in 0..<replies.count {
      session.withLock { $0 = number }
      answered.withLock { $0 = 0 }
      let before = server.requests.count
      let live = try LiveSinkTests.start(scratch, arguments)
      // Three alerts each, besides those owed by earlier sessions.
      try live.write(LiveSinkTests.visits(3, from: 6 * number))
      try live.wait("the alerts did not come") {
        $0.lines.filter { $0.contains("\"alert\"") }.count == 3
      }
      try live.wait("it is not posted") { _ in
        server.requests.count >= before + replies[number].count
      }
      if number < replies.count - 1 {
        // Before the server has taken it.
        live.signal(SIGKILL)
        try live.end()
      } else {
        try live.finish()
        #expect(live.errorText.contains("it answered with status 429; trying again"))
        #expect(live.errorText.contains("delivering alerts again"))
      }
      lines += live.lines.filter { $0.contains("\"alert\"") }
    }
    #expect(Set(server.accepted.map { $0.body.trimmingCharacters(in: .newlines) }) == Set(lines))
    #expect(Self.keys(server.requests) == Self.keys(server.accepted))
    #expect(Self.keys(server.accepted).count == 9)
  }

  @Test("that always refuses an alert loses it after the deadline, and the exit status shows it")
  func deadline() throws {
    let server = try HookServer { _ in 404 }
    defer { server.stop() }
    let scratch = try Scratch()
    let live = try LiveSinkTests.start(
      scratch, ["--webhook", server.url, "--sink-deadline", "1s"])
    try live.write(LiveSinkTests.visits(2))
    try live.closeInput()
    #expect(try live.end() == 74)
    #expect(Self.keys(server.requests).count == 2)
    // Each more than once.
    #expect(server.requests.count >= 4)
    let last = live.errorText.split(separator: "\n").last
    #expect(
      last == "fencepost: webhook: 2 given up after 1 s (it answered with status 404)",
      "\(live.errorText)")
    #expect(live.errorText.contains("last “A \"quoted\" $title; `x`” of 2026-03-04T"))
  }

  @Test("that is gone for good loses its alerts after the deadline, saved ones included")
  func deadlineOverRestarts() throws {
    let port = try Tool.holdPort()
    let scratch = try Scratch()
    let arguments = [
      "--state", scratch.path("state"), "--webhook", "http://127.0.0.1:\(port)/",
      "--sink-deadline", "2s",
    ]
    let first = try LiveSinkTests.start(scratch, arguments)
    try first.write(LiveSinkTests.visits(3))
    try first.wait("no attempt") { $0.errorText.contains("trying again") }
    first.signal(SIGKILL)
    try first.end()
    // Time that nothing ran does not count, and the state goes on counting.
    let second = try LiveSinkTests.start(scratch, arguments + ["--sink-grace", "60s"])
    try second.closeInput()
    #expect(try second.end() == 74)
    #expect(second.errorText.contains("webhook: 3 given up after 2 s"), "\(second.errorText)")
    let third = try LiveSinkTests.start(scratch, arguments)
    try third.finish()
  }

  @Test("that is down at the end of the input loses what is owed, unless a state keeps it")
  func grace() throws {
    let port = try Tool.holdPort()
    let scratch = try Scratch()
    let hook = ["--webhook", "http://127.0.0.1:\(port)/hook"]
    let lossy = try LiveSinkTests.start(scratch, hook + ["--sink-grace", "100ms"])
    try lossy.write(LiveSinkTests.visits(2))
    try lossy.closeInput()
    #expect(try lossy.end() == 74)
    #expect(lossy.errorText.contains("webhook: 2 not delivered"), "\(lossy.errorText)")

    let state = ["--state", scratch.path("state")]
    let first = try LiveSinkTests.start(scratch, hook + state + ["--sink-grace", "100ms"])
    try first.write(LiveSinkTests.visits(2))
    try first.finish()
    #expect(first.errorText.contains("webhook: 2 not delivered yet, but kept in the state file"))

    // Without the option they stay where they are.
    let without = try LiveSinkTests.start(scratch, state)
    try without.finish()
    #expect(
      without.errorText.contains(
        "the state file has 2 not delivered to --webhook yet. To send them,")
    )

    let server = try HookServer(port: port) { _, _ in .init(status: 200) }
    defer { server.stop() }
    let second = try LiveSinkTests.start(scratch, hook + state)
    try second.finish()
    #expect(second.lines.count == 1 && second.lines[0].contains("\"summary\""))
    #expect(
      server.accepted.map { $0.body.trimmingCharacters(in: .newlines) }
        == first.lines.filter { $0.contains("\"alert\"") })
  }
}

@Suite("A sink whose program is missing")
struct MissingProgramTests {
  @Test(
    "is an error before any input is read",
    arguments: [
      (
        ["--webhook", "http://127.0.0.1/"],
        "curl: no such program; --webhook needs Debian's package curl"
      ),
      (["--notify"], "notify-send: no such program; --notify needs Debian's package libnotify-bin"),
      (["--exec", "no-such-hook --loud"], "no-such-hook: no such program; --exec needs it"),
      (["--exec", "./hook"], "./hook: it is not executable; --exec needs it"),
      (["--exec", "./none"], "./none: no such program; --exec needs it"),
      (["--exec", "."], ".: no such program; --exec needs it"),
    ])
  func missing(arguments: [String], sentence: String) throws {
    let scratch = try Scratch()
    try scratch.write("hook", "#!/bin/sh\n")
    for command in [["live", "-"], ["serve", "--listen", "127.0.0.1:0"]] {
      let result = try Command.run(
        command + ["--places", LiveSample.places, "--state", "state"] + arguments,
        in: scratch.url, environment: ["PATH": "/nowhere:\(scratch.url.path)"])
      #expect(result.status == 66)
      #expect(result.errors == "fencepost: \(sentence)\n")
      #expect(result.output.isEmpty)
    }
    #expect(try scratch.names() == ["hook"])
  }

  @Test("later is retried until it is back")
  func later() throws {
    let scratch = try Scratch()
    let server = try HookServer { _ in 200 }
    defer { server.stop() }
    let curl = try Tool.need("curl").path
    let link = scratch.path("bin/curl")
    try FileManager.default.createDirectory(
      atPath: scratch.path("bin"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: curl)
    let live = try LiveProcess(
      nil, try LiveSinkTests.arguments(scratch, ["--webhook", server.url]),
      environment: ["PATH": scratch.path("bin")])
    try live.write(LiveSinkTests.visits(1))
    try live.wait("it is not posted") { _ in server.accepted.count == 1 }
    try FileManager.default.removeItem(atPath: link)
    try live.write(LiveSinkTests.visits(1, from: 2))
    try live.wait("it is not told") { $0.errorText.contains("webhook: curl: no such file") }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: curl)
    try live.finish()
    #expect(server.accepted.count == 2)
  }
}
