public import FencepostMonitoring
public import FencepostNotifications
public import FencepostStateFile
public import Foundation

// `localizedDescription`, which apps show and log, is the sentence of each error.

extension CalendarPatternError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension KindRegistryError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension SchedulerError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension StateFileError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension PlaceIndexError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension SnapshotError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension NewerVersionError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension PhoneProblem: LocalizedError {
  /// The problem as one sentence.
  public var errorDescription: String? { description }
}
