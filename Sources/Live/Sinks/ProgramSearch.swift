import Foundation
import Glibc

extension LiveOptions.Sink {
  /// A sentence about a program that the sink needs and this machine lacks; nil if none is missing.
  public var missingProgram: String? {
    switch self {
    case .exec(let arguments, _):
      let name = arguments.first ?? ""
      return ProgramSearch.fault(of: name).map {
        let isForShell = name.hasPrefix("~") || name.contains { $0 == "$" || $0 == "`" }
        let hint = isForShell ? ", and no shell reads it; --exec-shell has one" : ""
        return "\(name): \($0); --exec runs it\(hint)"
      }
    case .mqtt: return nil
    case .webhook:
      return ProgramSearch.fault(of: "curl").map {
        "curl: \($0); --webhook needs Debian's package curl"
      }
    case .notify:
      return ProgramSearch.fault(of: "notify-send").map {
        "notify-send: \($0); --notify needs Debian's package libnotify-bin"
      }
    }
  }
}

/// Finds programs the way `posix_spawnp` does.
enum ProgramSearch {
  /// Why a program cannot be started, as the end of a sentence; nil if it can.
  ///
  /// A name with a slash is a path; others are searched for in `PATH`.
  static func fault(of name: String) -> String? {
    let paths =
      name.contains("/")
      ? [name]
      // An empty entry is the current folder.
      : folders.map { $0.isEmpty ? name : "\($0)/\(name)" }
    var fault = "no such program"
    for path in paths {
      var status = stat()
      // `status` is ours and of the size the system expects; the path is there until the calls return.
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if unsafe access(path, X_OK) == 0 { return nil }
      fault = "it may not be run"
    }
    return fault
  }

  private static var folders: [String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  }
}
