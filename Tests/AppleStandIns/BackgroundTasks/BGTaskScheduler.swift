// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch
public import Foundation

open class BGTaskRequest: NSObject {
  public let identifier: String
  open var earliestBeginDate: Date?

  fileprivate init(named identifier: String) {
    self.identifier = identifier
  }
}

open class BGAppRefreshTaskRequest: BGTaskRequest {
  public init(identifier: String) {
    super.init(named: identifier)
  }
}

open class BGTask: NSObject {
  public let identifier: String
  open var expirationHandler: (() -> Void)?
  /// What the app said at the end; nil while it runs.
  public private(set) var success: Bool?

  fileprivate init(identifier: String) {
    self.identifier = identifier
  }

  open func setTaskCompleted(success: Bool) { self.success = success }
}

open class BGAppRefreshTask: BGTask {}

/// Keeps one request of an app, and runs the app for it when a test says so.
///
/// The request outlives the app; the handlers do not. Everything belongs to the main thread.
open class BGTaskScheduler: NSObject, @unchecked Sendable {
  public static let shared = BGTaskScheduler()

  public struct Error: Swift.Error, Sendable {
    public enum Code: Int, Sendable {
      case unavailable = 1
      case tooManyPendingTaskRequests = 2
      case notPermitted = 3
    }

    public let code: Code
  }

  private var handlers: [String: (BGTask) -> Void] = [:]
  private var permitted: Set<String> = []
  private var isAvailable = true
  /// The request that the system has; nil if it has none.
  public private(set) var pending: BGTaskRequest?

  open func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    precondition(handlers[identifier] == nil, "an identifier is registered once a launch")
    guard permitted.contains(identifier) else { return false }
    handlers[identifier] = launchHandler
    return true
  }

  open func submit(_ request: BGTaskRequest) throws {
    try beforeSubmit?()
    guard permitted.contains(request.identifier) else { throw Error(code: .notPermitted) }
    guard isAvailable else { throw Error(code: .unavailable) }
    pending = request
  }

  // MARK: For tests

  /// Called before each request; may end the app, which then asks for nothing.
  public var beforeSubmit: (() throws -> Void)?

  public func reset(permitted: Set<String>) {
    (handlers, self.permitted, pending, isAvailable) = ([:], permitted, nil, true)
    beforeSubmit = nil
  }

  /// What the user sets under Background App Refresh.
  public func setAvailable(_ isAvailable: Bool) { self.isAvailable = isAvailable }

  /// Ends the app, whose handlers are gone.
  public func terminate() { handlers = [:] }

  /// Uses up the request if it is due, launches the app unless it runs, and calls its handler.
  public func run(at date: Date, launching launch: () -> Void = {}) -> BGTask? {
    guard let request = pending, request.earliestBeginDate ?? date <= date else { return nil }
    pending = nil
    if handlers.isEmpty { launch() }
    guard let handler = handlers[request.identifier] else { return nil }
    let task = BGAppRefreshTask(identifier: request.identifier)
    handler(task)
    return task
  }
}
