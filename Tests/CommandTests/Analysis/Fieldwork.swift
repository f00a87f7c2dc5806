import Foundation
import TestSupport
import Testing

/// A folder of tracks and places for tests of the commands over many tracks.
final class Fieldwork: Sendable {
  let scratch: Scratch

  /// Writes a store's places and some walks past them, each with its own name and start.
  init(tracks count: Int = 6) throws {
    scratch = try Scratch()
    var places = "id,title,lat,lon,radius,category\n"
    for number in 0..<40 {
      let latitude = 39.9400 + Double(number % 8) * 0.0012
      let longitude = -75.1560 + Double(number / 8) * 0.0016
      places += "place-\(100 + number),Story \(number),\(latitude),\(longitude),60,history\n"
    }
    try scratch.write("places.csv", places)
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("tracks/more/deep"), withIntermediateDirectories: true)
    for number in 0..<count {
      let folder = ["tracks", "tracks/more", "tracks/more/deep"][number % 3]
      try scratch.write("\(folder)/walk-\(1000 + number).csv", Self.walk(number))
    }
  }

  /// A walk of twelve fixes, a minute apart.
  static func walk(_ number: Int) -> String {
    var text = "time,lat,lon\n"
    for minute in 0..<12 {
      let time = "2026-03-04T1\(number % 10):\(minute < 10 ? "0" : "")\(minute):00Z"
      let latitude = 39.9396 + Double(minute) * 0.0009
      let longitude = -75.1562 + Double(number % 7) * 0.0011 + Double(minute % 3) * 0.0004
      text += "\(time),\(latitude),\(longitude)\n"
    }
    return text
  }

  /// Runs the program in the folder.
  func run(_ arguments: [String]) throws -> Command.Result {
    try Command.run(arguments, in: scratch.url)
  }

  /// Runs `analyze` over the tracks with few regions, so that something is lost.
  func analyze(_ arguments: [String], tracks: [String] = ["tracks"]) throws -> Command.Result {
    try run(["analyze"] + tracks + ["--places", "places.csv", "--limit", "4"] + arguments)
  }

  /// The objects of an output of one JSON object per line.
  static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  /// How many lines of each type there are.
  static func types(_ text: String) throws -> [String: Int] {
    try objects(text).reduce(into: [:]) { $0[$1["type"] as? String ?? "?", default: 0] += 1 }
  }
}
