#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  import BackgroundTasks
  import Foundation
  #if os(iOS)
    public import UIKit
  #endif

  /// The system's background tasks, which run an app about as often as its user opens it.
  ///
  /// The app needs the background mode `fetch`, and the identifier under
  /// `BGTaskSchedulerPermittedIdentifiers` in its `Info.plist`.
  @MainActor
  public final class SystemRefreshScheduler: RefreshScheduler {
    private let identifier: String

    /// Creates a scheduler for an identifier of the app's `Info.plist`.
    public init(identifier: String) { self.identifier = identifier }

    /// Registers the handler; false if the identifier is not in `Info.plist`.
    public func register(_ onRun: @escaping @MainActor (any RefreshRun) -> Void) -> Bool {
      // The handler is called on the queue named here.
      BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
        let run = Handed(task: task)
        MainActor.assumeIsolated { onRun(SystemRun(run.task)) }
      }
    }

    /// Asks for one run; the system keeps one request at a time.
    public func submit(notBeforeMilliseconds milliseconds: Int64) throws {
      let request = BGAppRefreshTaskRequest(identifier: identifier)
      request.earliestBeginDate = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      try BGTaskScheduler.shared.submit(request)
    }

    /// Carries a task over to the main actor, on whose queue the system hands it over.
    private struct Handed: @unchecked Sendable {
      let task: BGTask
    }

    private final class SystemRun: RefreshRun {
      private let task: BGTask

      init(_ task: BGTask) { self.task = task }

      var onExpiration: (@MainActor @Sendable () -> Void)? {
        didSet {
          guard let action = onExpiration else { return task.expirationHandler = nil }
          // The system may call this on any queue.
          task.expirationHandler = { @Sendable in Task { @MainActor in action() } }
        }
      }

      func finish(success: Bool) { task.setTaskCompleted(success: success) }
    }
  }

  #if os(iOS)
    extension BackgroundRefresh.Outcome {
      /// The answer to `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
      public var fetchResult: UIBackgroundFetchResult {
        switch self {
        case .planned: .newData
        case .notAsked: .noData
        case .failed: .failed
        }
      }
    }
  #endif
#endif
