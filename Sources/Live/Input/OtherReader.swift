import Foundation
import Glibc

/// Finds out whether gpsd reads a device, which hands each byte to only one of its readers.
enum OtherReader {
  private static let processes = URL(fileURLWithPath: "/proc")

  /// Whether a gpsd on this machine has a device open, as far as the system shows.
  ///
  /// The open files of other users' programs are hidden from all but the superuser; the device may still be among
  /// the words that gpsd was started with.
  static func isGPSD(on path: String) -> Bool {
    let device = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return gpsds.contains { process in
      openFiles(of: process).contains(device)
        || words(of: process).contains { $0 == path || $0 == device }
    }
  }

  /// The folders of all gpsds that run.
  private static var gpsds: [URL] {
    names(in: processes).filter { Int($0) != nil }.map { processes.appendingPathComponent($0) }
      .filter { text($0, "comm") == "gpsd\n" }
  }

  private static func openFiles(of process: URL) -> [String] {
    let folder = process.appendingPathComponent("fd")
    return names(in: folder).compactMap {
      // A file that was closed meanwhile is open no more.
      try? FileManager.default.destinationOfSymbolicLink(
        atPath: folder.appendingPathComponent($0).path)
    }
  }

  private static func words(of process: URL) -> [String] {
    text(process, "cmdline").split(separator: "\0").map(String.init)
  }

  /// What a folder holds; nothing if it is hidden from this user, or gone.
  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// A file's text; empty if it is gone.
  private static func text(_ process: URL, _ name: String) -> String {
    let path = process.appendingPathComponent(name).path
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
