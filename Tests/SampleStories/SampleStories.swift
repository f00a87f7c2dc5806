package import FencepostAnalysis
package import FencepostSession
import FencepostFixes
package import Foundation
package import FencepostPlaces
import FencepostReporting

/// The sample stories and tracks of the project's `Data` folder.
package enum SampleStories {
  /// The project's `Data` folder.
  package static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data")

  /// The path of a sample track.
  package static func track(_ name: String) -> String {
    data.appendingPathComponent("tracks/\(name)").path
  }

  /// A source over the sample stories.
  package static func source() throws -> StoreSource {
    let stories = data.appendingPathComponent("stories/philadelphia.csv").path
    return StoreSource(reader: try PlaceStore.inMemory(from: [stories]).store.makeReader())
  }

  /// Replays a track among the sample stories.
  package static func replay(
    _ path: String, selection: EventSelection = .all,
    _ change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> Replayed {
    var options = ReplayOptions()
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
package final class Replayed {
  package var events: [Event] = []
  package var outcome: Replay.Outcome?

  package var summary: TrackSummary? {
    if case .summary(let summary)? = events.last { summary } else { nil }
  }

  package var lines: [EventLine] { events.compactMap { EventLine($0) } }

  package var alerts: [String] {
    events.compactMap { if case .alert(let encounter, _) = $0 { encounter.placeID } else { nil } }
  }

  package func suppressed(for reason: String) -> [String] {
    events.compactMap {
      if case .suppressed(let encounter, reason) = $0 { encounter.placeID } else { nil }
    }
  }
}

extension Event {
  /// The event as reports write it.
  package var json: String {
    var buffer = OutputBuffer()
    buffer.append(jsonObject: self)
    return buffer.text
  }
}
