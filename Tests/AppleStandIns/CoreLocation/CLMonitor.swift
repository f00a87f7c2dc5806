// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public protocol CLCondition: Sendable {}

/// Conditions live in the device, as they outlive the app.
public actor CLMonitor {
  public struct CircularGeographicCondition: CLCondition {
    public let center: CLLocationCoordinate2D
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  public struct Event: Sendable {
    public enum State: Sendable {
      case unknown, satisfied, unsatisfied, unmonitored
    }

    public let identifier: String
    public let state: State
    public let date: Date
  }

  public struct Record: Sendable {
    public let condition: any CLCondition
    public let lastEvent: Event
  }

  public struct Events: AsyncSequence, Sendable {
    fileprivate let stream: AsyncStream<Event>
    fileprivate let launch: Int

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncStream<Event>.AsyncIterator
      fileprivate let launch: Int

      public mutating func next() async throws -> Event? { await iterator.next() }

      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
        SimulatedDevice.current.asksForEvent(inLaunch: launch)
        return await iterator.next(isolation: actor)
      }
    }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(iterator: stream.makeAsyncIterator(), launch: launch)
    }
  }

  /// The main thread's, so that tests know when all calls are done.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // The main actor lives as long as the process.
    unsafe MainActor.sharedUnownedExecutor
  }

  private let name: String
  private let launch: Int

  /// Stops the process if the app has one of this name already, as Core Location does.
  public init(_ name: String) async {
    self.name = name
    launch = await SimulatedDevice.openMonitor(name)
  }

  /// The events from now on; those that nobody has listened to yet come first.
  public var events: Events {
    get async {
      let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
      await SimulatedDevice.listen(continuation)
      return Events(stream: stream, launch: launch)
    }
  }

  public var identifiers: [String] {
    get async { await MainActor.run { Array(SimulatedDevice.current.conditions.keys) } }
  }

  public func record(for identifier: String) async -> Record? {
    await MainActor.run {
      SimulatedDevice.current.conditions[identifier].map {
        Record(condition: $0.condition, lastEvent: $0.lastEvent)
      }
    }
  }

  public func add(_ condition: any CLCondition, identifier: String) async {
    await add(condition, identifier: identifier, assuming: .unknown)
  }

  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State)
    async
  {
    await MainActor.run {
      SimulatedDevice.current.add(condition, identifier: identifier, assuming: state)
    }
  }

  public func remove(_ identifier: String) async {
    await MainActor.run {
      let device = SimulatedDevice.current
      if !device.faults.keepsRemoved { device.conditions[identifier] = nil }
    }
  }
}
