import Foundation
import Synchronization
import TestSupport
import Testing

/// An HTTP server with scripted answers to one kind of request.
final class HookServer: Sendable {
  /// One request.
  struct Request: Sendable {
    var head: String
    var body: String

    /// The value of a header, empty if there is none.
    func header(_ name: String) -> String {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) } ?? ""
    }
  }

  /// The answer to a request.
  struct Reply: Sendable {
    var status: Int
    var headers: [String] = []
  }

  let port: Int
  private let descriptor: Int32
  private let taken = Mutex<[(request: Request, reply: Reply?)]>([])
  private let reply: @Sendable (Int, Request) -> Reply?

  /// Starts a server.
  ///
  /// - Parameter answer: The status for the request of this number; nil for no answer.
  /// - Throws: If no port is free.
  convenience init(answer: @escaping @Sendable (Int) -> Int?) throws {
    try self.init { number, _ in answer(number).map { Reply(status: $0) } }
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: Where it listens, a port that is held; nil for one of its own.
  ///   - reply: The answer to the request of this number; nil for no answer.
  /// - Throws: If no port is free.
  init(port: Int? = nil, reply: @escaping @Sendable (Int, Request) -> Reply?) throws {
    let bound = try #require(Tool.bind(port: port ?? 0, sharesPort: port != nil))
    (descriptor, self.port) = bound
    self.reply = reply
    let socket = bound.descriptor
    try #require(listen(socket, 16) == 0)
    Thread.detachNewThread { [weak self, socket] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { return }
        self?.serve(client)
        close(client)
      }
    }
  }

  /// Stops taking requests.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  var url: String { "http://127.0.0.1:\(port)/hook?secret=1" }
  var requests: [Request] { taken.withLock { $0.map(\.request) } }

  /// The requests that were answered with success.
  var accepted: [Request] {
    taken.withLock { $0.filter { 200...299 ~= $0.reply?.status ?? 0 }.map(\.request) }
  }

  private func serve(_ client: Int32) {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(client, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      data.append(contentsOf: chunk[..<count])
      guard let request = Self.parse(data) else { continue }
      let reply = taken.withLock { taken in
        let reply = self.reply(taken.count, request)
        taken.append((request, reply))
        return reply
      }
      guard let reply else { return }
      let headers = (["Content-Length: 0", "Connection: close"] + reply.headers)
        .map { $0 + "\r\n" }.joined()
      let text = Array("HTTP/1.1 \(reply.status) x\r\n\(headers)\r\n".utf8)
      _ = unsafe send(client, text, text.count, Int32(MSG_NOSIGNAL))
      return
    }
  }

  /// The request; nil while incomplete.
  private static func parse(_ data: Data) -> Request? {
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let request = Request(
      head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
    return request.body.utf8.count >= Int(request.header("Content-Length")) ?? 0 ? request : nil
  }
}
