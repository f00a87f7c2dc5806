import FencepostFixes
import FencepostTime
import FencepostTracks
import FoundationEssentials
import Testing

/// Reads `Data/reported`, whose README has a row for each file.
@Suite("Files of the kinds that people reported")
struct ReportedFilesTests {
  struct Row: Sendable, CustomStringConvertible {
    var file: String
    var fixes: Int
    /// Reasons and counts, such as `void 1`.
    var rejected: String
    /// The time of the first fix; `-` without one.
    var first: String
    /// A part of what a user reads; empty for none.
    var sentence: String

    var description: String { file }
  }

  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Data/reported/"

  /// The rows of the table in the README.
  static let rows: [Row] = {
    // Without the file there are no rows, which a test notices.
    let text = (try? String(contentsOfFile: folder + "README.md", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard cells.count == 7, let fixes = Int(cells[2]) else { return nil }
      return Row(
        file: cells[1], fixes: fixes, rejected: cells[3], first: cells[4],
        sentence: cells[5].replacing("`", with: ""))
    }
  }()

  @Test("are read as their row says", arguments: rows)
  func read(row: Row) throws {
    var reader = try FixReader(path: Self.folder + row.file)
    var batch = FixBatch()
    var fixes: [Fix] = []
    var failure: FixSourceError?
    do throws(FixSourceError) {
      while try reader.read(into: &batch) { fixes += batch.fixes }
    } catch {
      failure = error
    }
    #expect(fixes.count == row.fixes)
    let first = fixes.first?.timeMilliseconds.map { ISO8601.string(milliseconds: $0) }
    #expect(first ?? "-" == row.first)
    let rejected = Rejection.Reason.allCases.filter { reader.rejectionCounts[$0] > 0 }
    #expect(
      rejected.map { "\($0.rawValue) \(reader.rejectionCounts[$0])" }.joined(separator: ", ")
        == row.rejected)
    let said = (reader.notices + [failure].compactMap { $0?.description }).joined(separator: "\n")
    let isError = row.sentence.hasPrefix("error: ")
    #expect((failure != nil) == isError, "\(said)")
    if row.sentence.isEmpty {
      #expect(said.isEmpty)
    } else {
      #expect(said.contains(isError ? String(row.sentence.dropFirst(7)) : row.sentence), "\(said)")
    }
  }

  @Test("have a row each")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let others: Set = ["README.md", "reminders"]
    #expect(files.filter { !others.contains($0) }.sorted() == Self.rows.map(\.file).sorted())
  }
}
