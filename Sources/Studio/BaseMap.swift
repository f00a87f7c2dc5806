import FencepostFiles
import FencepostFormats
package import FencepostGeodesy
package import FencepostReporting
import Glibc

/// Coasts, lakes, rivers and towns of an area, for maps without a network.
///
/// The data is Natural Earth's at 1:10 million, which `Tools/generate/base-map` simplifies to
/// within a kilometer; it is part of the program.
package struct BaseMap {
  /// The most bytes of one area's JSON; the least important lines and towns are left out.
  private static let mostBytes = 300_000
  /// How much around the area is shown, in degrees.
  private static let margin = 0.7
  private static let kinds = ["coast", "lake", "river", "town"]

  private struct Row {
    let kind: Int
    let rank: Int
    let json: String
  }

  private var rows: [Row] = []

  /// Finds what lies in or near the box around some positions.
  ///
  /// - Complexity: O(n) in the size of the data, some 50 ms, plus O(p) for p positions.
  package init(around coordinates: some Sequence<Coordinate>) {
    guard let box = Box(coordinates) else { return }
    let wide = box.widened(by: Self.margin)
    for line in Self.text.split(separator: 0x0A) {
      if let row = Self.row(line, in: wide) { rows.append(row) }
    }
    // Of one rank towns come first, then rivers, lakes and coasts, which take the most bytes.
    rows.sort { ($0.rank, -$0.kind) < ($1.rank, -$1.kind) }
    var bytes = 0
    let isKept = rows.map { row in
      bytes += row.json.utf8.count + 1
      return bytes <= Self.mostBytes
    }
    rows = zip(rows, isKept).filter(\.1).map(\.0)
  }

  /// Appends the area as a list of lines or towns for each kind.
  package func write(to output: inout OutputBuffer) {
    output.appendObject { output in
      for (kind, name) in Self.kinds.enumerated() {
        output.key(named: name)
        output.appendArray(rows.filter { $0.kind == kind }) { $0.append(verbatim: $1.json) }
      }
    }
  }

  // MARK: Data

  private static let text: [UInt8] = {
    var source = InflatedSource(
      ByteSource(bytes: Pages.file("base-map.txt.gz"), name: "base map"))
    var (text, chunk): ([UInt8], [UInt8]) = ([], [])
    // The data was written with the program. A program without it shows the map without it.
    while (try? source.read(into: &chunk)) == true { text += chunk }
    return text
  }()

  /// A line of the data as JSON if it touches a box.
  private static func row(_ line: ArraySlice<UInt8>, in box: Box) -> Row? {
    let parts = line.split(separator: 0x20, maxSplits: 2)
    guard parts.count == 3, let kind = kinds.firstIndex(where: { $0.utf8.elementsEqual(parts[0]) }),
      let rank = number(parts[1])
    else { return nil }
    if kinds[kind] == "town" {
      let town = parts[2].split(separator: 0x20, maxSplits: 2)
      guard town.count == 3, let lat = number(town[0]), let lon = number(town[1]),
        box.holds(latitude: Double(lat) / 1000, longitude: Double(lon) / 1000)
      else { return nil }
      var json = OutputBuffer(capacity: 64)
      json.append(verbatim: "[\(lat),\(lon),\(rank),")
      json.append(json: String(decoding: town[2], as: UTF8.self))
      json.append("]")
      return Row(kind: kind, rank: rank, json: json.text)
    }
    guard touches(parts[2], box) else { return nil }
    let numbers = String(decoding: parts[2].map { $0 == 0x20 ? 0x2C : $0 }, as: UTF8.self)
    return Row(kind: kind, rank: rank, json: "[\(numbers)]")
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }

  /// Whether the box around a line's points meets another.
  private static func touches(_ numbers: ArraySlice<UInt8>, _ box: Box) -> Bool {
    var (latitude, longitude, value, sign) = (0, 0, 0, 1)
    var isLatitude = true
    var (south, north, west, east) = (Int.max, Int.min, Int.max, Int.min)
    func take() {
      if isLatitude {
        latitude += sign * value
        (south, north) = (min(south, latitude), max(north, latitude))
      } else {
        longitude += sign * value
        (west, east) = (min(west, longitude), max(east, longitude))
      }
      (value, sign, isLatitude) = (0, 1, !isLatitude)
    }
    for byte in numbers {
      switch byte {
      case 0x2D: sign = -1
      case 0x20: take()
      default: value = value * 10 + Int(byte) - 0x30
      }
    }
    take()
    return box.meets(
      south: Double(south) / 200, north: Double(north) / 200, west: Double(west) / 200,
      east: Double(east) / 200)
  }
}

/// A box in degrees; its longitudes may go beyond 180.
private struct Box {
  var south: Double
  var north: Double
  var west: Double
  var east: Double

  /// The box around positions that follow each other; nil for none.
  init?(_ coordinates: some Sequence<Coordinate>) {
    var box: (south: Double, north: Double, west: Double, east: Double)?
    for one in coordinates {
      let latitude = one.latitudeDegrees
      guard let known = box else {
        box = (latitude, latitude, one.longitudeDegrees, one.longitudeDegrees)
        continue
      }
      let longitude = Self.turned(one.longitudeDegrees, to: (known.west + known.east) / 2)
      box = (
        min(known.south, latitude), max(known.north, latitude), min(known.west, longitude),
        max(known.east, longitude)
      )
    }
    guard let box else { return nil }
    (south, north, west, east) = box
  }

  func widened(by degrees: Double) -> Box {
    var box = self
    // A degree of longitude is shorter away from the equator.
    let across = degrees / max(0.1, cos((south + north) / 2 * .pi / 180))
    (box.south, box.north) = (south - degrees, north + degrees)
    (box.west, box.east) = (west - across, east + across)
    return box
  }

  func holds(latitude: Double, longitude: Double) -> Bool {
    meets(south: latitude, north: latitude, west: longitude, east: longitude)
  }

  func meets(south: Double, north: Double, west: Double, east: Double) -> Bool {
    let shift = Self.turned((west + east) / 2, to: (self.west + self.east) / 2) - (west + east) / 2
    return south <= self.north && north >= self.south && west + shift <= self.east
      && east + shift >= self.west
  }

  private static func turned(_ longitude: Double, to reference: Double) -> Double {
    longitude + 360 * ((reference - longitude) / 360).rounded()
  }
}
