import ArgumentParser
import Glibc

/// `Benchmark bound`: the least that a case can cost, as a process of its own.
struct BoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bound", abstract: "Do the least that a case has to do.",
    subcommands: [Newlines.self, Tags.self, Inserts.self])

  /// Finds the lines of files.
  struct Newlines: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Find each newline of files.")
    @Argument(help: "The files.") var files: [String]

    func run() throws {
      for file in files { print(try ByteCount.occurrences(of: UInt8(ascii: "\n"), inFile: file)) }
    }
  }

  /// Finds the tags of files.
  struct Tags: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Find each < of files.")
    @Argument(help: "The files.") var files: [String]

    func run() throws {
      for file in files { print(try ByteCount.occurrences(of: UInt8(ascii: "<"), inFile: file)) }
    }
  }

  /// Inserts the rows of a file into a plain table.
  struct Inserts: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Insert each row of a CSV file of places into a table without index.")
    @Argument(help: "The CSV file.") var csv: String
    @Argument(help: "The database file, made anew.") var database: String

    func run() throws {
      // A file that is not there needs no removal.
      unsafe _ = unlink(database)
      print(try PlainInserts(path: database).load(csv))
    }
  }
}
