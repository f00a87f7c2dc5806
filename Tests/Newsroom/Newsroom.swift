import Fencepost
import Fixes
import Foundation
import Places
import Reporting

/// The sample stories and tracks of the project's `Data` folder.
enum Newsroom {
  /// The project's `Data` folder.
  static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Data")

  /// The path of a sample track.
  static func track(_ name: String) -> String {
    data.appendingPathComponent("tracks/\(name)").path
  }

  /// A source over the sample stories.
  static func source() throws -> StoreSource {
    let stories = data.appendingPathComponent("stories/philadelphia.csv").path
    return StoreSource(reader: try PlaceStore.inMemory(from: [stories]).store.makeReader())
  }

  /// Replays a track among the sample stories.
  static func replay(
    _ path: String, selection: EventSelection = .all,
    _ change: (inout Replay.Options) -> Void = { _ in }
  ) throws -> Replayed {
    var options = Replay.Options()
    change(&options)
    let replayed = Replayed()
    var observer = Replay.Observer { replayed.events.append($0) }
    observer.selection = selection
    replayed.outcome = try Replay(options: options).run(
      path: path, source: source(), observer: observer)
    return replayed
  }
}

/// Everything that a replay said.
final class Replayed {
  var events: [Event] = []
  var outcome: Replay.Outcome?

  var summary: TrackSummary? {
    if case .summary(let summary)? = events.last { summary } else { nil }
  }

  var lines: [EventLine] { events.compactMap { EventLine($0) } }

  var alerts: [String] {
    events.compactMap { if case .alert(let encounter, _) = $0 { encounter.placeID } else { nil } }
  }

  func suppressed(for reason: String) -> [String] {
    events.compactMap {
      if case .suppressed(let encounter, reason) = $0 { encounter.placeID } else { nil }
    }
  }
}

extension Event {
  /// The event as reports write it.
  var json: String {
    var buffer = ByteBuffer()
    buffer.append(jsonObject: self)
    return buffer.text
  }
}
