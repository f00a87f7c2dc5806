public import FencepostMonitoring
public import FencepostNotifications
public import FencepostStateFile
public import Foundation

/// An error whose `localizedDescription`, which apps show and log, is its description.
public protocol ErrorInWords: LocalizedError, CustomStringConvertible {}

extension ErrorInWords {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension CalendarPatternError: ErrorInWords {}
extension KindRegistryError: ErrorInWords {}
extension MissingTriggerError: ErrorInWords {}
extension NewerVersionError: ErrorInWords {}
extension PhoneProblem: ErrorInWords {}
extension PlaceIndexError: ErrorInWords {}
extension SchedulerError: ErrorInWords {}
extension SnapshotError: ErrorInWords {}
extension StateFileError: ErrorInWords {}
