import Foundation
import TestSupport
import Testing

extension StudioPage {
  /// Opens the studio of the built program.
  convenience init(_ arguments: [String], in kind: BrowserKind = .chromium) throws {
    let process = try LiveProcess(nil, ["studio"] + arguments)
    try self.init(at: try process.studioAddress(), of: process, in: kind)
  }
}

extension LiveProcess {
  /// Waits until the program says where its studio is, and returns the address with the secret.
  func studioAddress() throws -> String {
    try wait("no studio") { $0.errorText.contains("the studio is at http") }
    let text = try #require(errorText.firstMatch(of: /the studio is at (http[^\s]+)/)?.1)
    return String(text)
  }
}
