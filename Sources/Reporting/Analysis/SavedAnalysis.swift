import FencepostFormats

/// The lines of a saved analysis, whose errors name the file and the line.
package struct SavedAnalysis: Sendable {
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  let name: String
  var line = 0

  /// Parses the current line, and passes it on with its type.
  func read<Value>(
    _ text: String, _ body: (JSONNode, String) throws(JSONPathError) -> Value
  ) throws(Failure) -> Value {
    do throws(JSONPathError) {
      let node = try Self.parse(text)
      return try body(node, node.string("type"))
    } catch {
      guard line > 1 || text.hasPrefix("{\"type\":\"settings\"") else { throw isNone }
      throw Failure(description: "\(name): line \(line): \(error)")
    }
  }

  private static func parse(_ text: String) throws(JSONPathError) -> JSONNode {
    do throws(JSONError) { return JSONNode(try JSONValue(parsing: text)) } catch {
      throw JSONPathError(path: "", sentence: "\(error)")
    }
  }

  /// Says that the file is not an analysis, and how to get one.
  var isNone: Failure {
    let file = name.split(separator: "/").last ?? "analysis"
    let stem = file.prefix { $0 != "." }
    let output = stem.isEmpty || stem == "-" ? "analysis" : stem
    return Failure(
      description:
        "\(name) is not an analysis. Save one with: fencepost analyze … -o \(output).ndjson")
  }

  var endsEarly: Failure { Failure(description: "\(name): ends early, without its totals") }
}
