import FencepostTracks
import Foundation
import FuzzTargets
import TestSupport
import Testing

@Suite("What fuzzing began with and what it found")
struct SeedTests {
  /// Every seed beside its target.
  static let seeds: [Seed] = FuzzTarget.all.flatMap { target in
    Seed.names(of: target).map { Seed(target: target, name: $0) }
  }

  @Test("holds for every seed", arguments: seeds)
  func seed(_ seed: Seed) throws {
    try seed.target.check(try seed.bytes())
  }

  @Test("has seeds for every target", arguments: FuzzTarget.all)
  func everyTarget(target: FuzzTarget) {
    #expect(Seed.names(of: target).count >= 3)
  }

  @Test("Every format of tracks has a target: add it to FuzzTarget")
  func everyFormat() {
    let fed = Set(FuzzTarget.all.compactMap(\.format))
    #expect(Set(TrackFormat.allCases).subtracting(fed) == [])
  }

  @Test("A target tells what does not hold")
  func finding() {
    #expect(throws: Finding.self) { try demand(false, "it does not hold") }
  }

  @Test("Nothing at all is fed to every target", arguments: FuzzTarget.all)
  func nothing(target: FuzzTarget) throws {
    try target.check([])
  }

  /// A seed with its first and its last half only, and with bytes turned over, is no worse.
  @Test("holds for every seed cut and damaged", arguments: seeds)
  func damaged(_ seed: Seed) throws {
    let bytes = try seed.bytes()
    var random = SplitMix64(seed: UInt64(bytes.count))
    try seed.target.check(Array(bytes.prefix(bytes.count / 2)))
    try seed.target.check(Array(bytes.suffix(bytes.count / 2)))
    for _ in 0..<20 where !bytes.isEmpty {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try seed.target.check(damaged)
    }
  }
}

/// A file of the seed corpus.
struct Seed: Sendable, CustomTestStringConvertible {
  let target: FuzzTarget
  let name: String

  private static let folder =
    Document.project.appendingPathComponent("Tools/fuzz/seeds").path

  var testDescription: String { "\(target.name)/\(name)" }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(Seed.folder)/\(testDescription)")))
  }

  static func names(of target: FuzzTarget) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(target.name)")
    return (found ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
