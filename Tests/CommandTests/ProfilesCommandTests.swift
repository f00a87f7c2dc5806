import Foundation
import Testing

@Suite("fencepost profiles")
struct ProfilesCommandTests {
  @Test("The list has a line for each profile")
  func list() throws {
    let result = try Command.run(["profiles", "list"])
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.split(separator: "\n").count == 13)
    #expect(result.output.contains("{\"type\":\"profile\",\"name\":\"iphone\","))
  }

  @Test("What people look at first is text, in a pipe as on a terminal")
  func text() throws {
    let list = try Command.run(["profiles", "list"], isTyped: true).output
    #expect(list.hasPrefix("PROFILE"))
    let show = try Command.run(["profiles", "show", "iphone"], isTyped: true).output
    #expect(!show.hasPrefix("{"))
  }

  @Test("What is shown is a profile that can be shown again")
  func show() throws {
    let first = try Command.run(["profiles", "show", "android"])
    let second = try Command.run(["profiles", "show", "-"], input: first.output)
    #expect(first.status == 0 && second.status == 0)
    #expect(first.output == second.output && !first.output.isEmpty)
  }

  @Test("A fault is named by file, line and path, a missing profile by the names there are")
  func faults() throws {
    let sound = try Command.run(["profiles", "show", "iphone"]).output
    let damaged = sound.replacingOccurrences(of: "\"value\": 20,", with: "\"value\": 0,")
    let fault = try Command.run(["profiles", "show", "-"], input: damaged)
    #expect(fault.status == 65 && fault.output.isEmpty)
    #expect(
      fault.errors
        == "fencepost: standard input: line 6: limits.regions.value: expected 1 or more\n")
    let missing = try Command.run(["profiles", "show", "nokia"])
    #expect(missing.status == 66 && missing.errors.contains("Built-in profiles: ideal, iphone"))
  }
}
