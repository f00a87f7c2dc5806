#if Command
import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications
import FencepostReporting

/// The entries of all tracks as the page lists and draws them.
///
/// If there are too many, those that would be drawn on top of each other are combined.
struct PageMoments {
  /// The most entries that a page lists one by one.
  private static let mostMoments = 100_000
  /// The most entry marks that a page draws.
  private static let mostMarks = 30_000

  /// An entry, in the numbers that the page reads.
  fileprivate struct Moment {
    /// What became of it: 0 an alert, 1 held back, 2 late, 3 missed.
    var kind: UInt8
    var story: Int32
    var track: Int32
    var coordinate: Coordinate
    /// When the path entered, in seconds since 1970; nil if unknown.
    var seconds: Int64?
    /// Seconds until a late entry was noticed, or the number of the reason for a suppressed one.
    var detail: Int
    /// How long the path stayed inside; nil if it never left or times are unknown.
    var insideSeconds: Int?
    /// The speed at the entry in tenths of a meter per second; nil if unknown.
    var decimetersPerSecond: Int?
  }

  /// Entries of one kind and story that would be drawn on top of each other.
  ///
  /// They share a cell whose sides are a ten-thousandth of a degree, about 10 m from south to
  /// north.
  private struct Mark: Hashable {
    var kind: UInt8
    var story: Int32
    var south: Int32
    var west: Int32
  }

  /// A square of the map, whose sides are numbered in units of its size.
  private struct Cell: Hashable {
    var south: Int
    var west: Int
  }

  private var moments: [Moment] = []
  /// The first entry of each mark, and how many it stands for.
  private var marks: [Mark: (first: Moment, times: Int)] = [:]
  private var order: [Mark] = []
  /// All entries so far, listed or not.
  private var count = 0

  /// Adds the entries of the track with this index.
  mutating func note(_ entries: [EntryRecord], track: Int) {
    for entry in entries { note(Moment(entry, track: track)) }
  }

  /// Adds an entry to the list, which is given up once it is too long, and to its mark.
  private mutating func note(_ moment: Moment) {
    count += 1
    if count <= Self.mostMoments { moments.append(moment) } else { moments = [] }
    let mark = Mark(
      kind: moment.kind, story: moment.story,
      south: Int32((moment.coordinate.latitudeDegrees * 1e4).rounded(.down)),
      west: Int32((moment.coordinate.longitudeDegrees * 1e4).rounded(.down)))
    if marks[mark]?.times == nil {
      order.append(mark)
      marks[mark] = (moment, 1)
    } else {
      marks[mark]?.times += 1
    }
  }

  /// Appends the members `entries`, `allEntries`, `reasons`, and `density` if entries are left out.
  ///
  /// An entry has kind, story, track, latitude, longitude, times, seconds since 1970, detail,
  /// seconds inside and speed. Unknown values are -1 or `null`.
  func write(to output: inout OutputBuffer) {
    output.array("entries", drawn) { output, item in
      let (moment, times) = item
      let (south, west) = moment.coordinate.microdegrees
      let seconds = moment.seconds.map(String.init) ?? "null"
      output.append(
        verbatim: "[\(moment.kind),\(moment.story),\(moment.track),\(south),\(west),\(times),"
          + "\(seconds),\(moment.detail),\(moment.insideSeconds ?? -1),"
          + "\(moment.decimetersPerSecond ?? -1)]")
    }
    output.member("allEntries", count)
    if count > Self.mostMoments { writeDensity(to: &output) }
    output.array("reasons", SuppressionReason.allCases) {
      $0.append(json: $1.words)
    }
  }

  /// Appends how many entries of each kind are near a point, by latitude and longitude.
  private func writeDensity(to output: inout OutputBuffer) {
    // About a hundred meters.
    var cell = 10
    var counts = density(cell)
    while counts.count > Self.mostMarks {
      cell *= 2
      counts = density(cell)
    }
    let cells = counts.sorted { ($0.key.south, $0.key.west) < ($1.key.south, $1.key.west) }
    output.array("density", cells) { output, item in
      func middle(_ number: Int) -> Int { (2 * number + 1) * cell * 50 }
      output.append(verbatim: "[\(middle(item.key.south)),\(middle(item.key.west))")
      for kind in 0..<4 { output.append(verbatim: ",\(item.value[kind])") }
      output.append("]")
    }
  }

  /// The entries of each kind by cell, whose sides are `cell` ten-thousandths of a degree.
  private func density(_ cell: Int) -> [Cell: SIMD4<Int>] {
    func number(_ side: Int32) -> Int { Int((Double(side) / Double(cell)).rounded(.down)) }
    var counts: [Cell: SIMD4<Int>] = [:]
    for (mark, place) in marks {
      let key = Cell(south: number(mark.south), west: number(mark.west))
      counts[key, default: .zero][Int(mark.kind)] += place.times
    }
    return counts
  }

  /// The entries, each with the number it stands for.
  ///
  /// Losses come first among marks, so that they survive the limit.
  private var drawn: [(Moment, Int)] {
    if count <= Self.mostMoments { return moments.map { ($0, 1) } }
    return order.enumerated()
      .sorted { ($1.element.kind, $0.offset) < ($0.element.kind, $1.offset) }
      .prefix(Self.mostMarks)
      .compactMap { marks[$0.element] }
  }
}

extension PageMoments.Moment {
  /// Makes an entry of a run into the page's numbers.
  fileprivate init(_ entry: EntryRecord, track: Int) {
    kind = entry.isAlert ? 0 : entry.cause == .late ? 2 : entry.cause == .missed ? 3 : 1
    story = Int32(entry.story)
    self.track = Int32(track)
    coordinate = entry.coordinate
    seconds = entry.timeMilliseconds.map { $0 / 1000 }
    detail = -1
    if let found = entry.foundMilliseconds, let time = entry.timeMilliseconds {
      detail = Int((found - time) / 1000)
    } else if let reason = entry.suppression {
      detail = SuppressionReason.allCases.firstIndex(of: reason) ?? -1
    }
    if let entered = entry.enteredMilliseconds, let left = entry.leftMilliseconds {
      insideSeconds = Int((left - entered) / 1000)
    }
    decimetersPerSecond = entry.speedMetersPerSecond.map { Int(min($0 * 10, 1e9).rounded()) }
  }
}

extension Coordinate {
  /// Latitude and longitude in millionths of a degree.
  var microdegrees: (south: Int, west: Int) {
    (Int((latitudeDegrees * 1e6).rounded()), Int((longitudeDegrees * 1e6).rounded()))
  }
}
#endif
