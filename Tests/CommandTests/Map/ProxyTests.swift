import Foundation
import TestSupport
import Testing

/// Proxies with the configuration that the guide shows.
@Suite("fencepost serve behind a proxy", .serialized)
struct ProxyTests {
  /// The guide's example for a proxy, which leads to the server at another port.
  private static func example(_ proxy: String, to address: String) throws -> String {
    let guide = try #require(Document.all.first { $0.path.hasSuffix("/KeepingItRunning.md") })
    let start = try #require(guide.text.firstRange(of: "```\(proxy)\n")?.upperBound)
    let text = guide.text[start...]
    let end = try #require(text.firstRange(of: "```")?.lowerBound)
    #expect(text[..<end].contains("127.0.0.1:8080"))
    let server = address.replacing("http://", with: "").dropLast()
    return String(text[..<end].replacing("127.0.0.1:8080", with: server))
  }

  private static func serve() throws -> LiveProcess {
    try LiveProcess(
      nil,
      [
        "serve", "--places", LiveSample.places, "--listen", "127.0.0.1:0", "--token", "s3cret",
      ])
  }

  /// Signs in as a browser does, reads the page, its files and its stream, and posts a long track.
  private static func use(_ address: String, _ proxy: LiveProcess, _ scratch: Scratch) throws {
    let jar = ["-b", scratch.path("jar"), "-c", scratch.path("jar")]
    // 502 before the proxy has its port, too.
    try proxy.wait("no proxy at \(address)") { _ in
      (try? Curl.run(["\(address)state"]))?.status == 401
    }
    let page = try Curl.run(jar + ["-L", "\(address)?token=s3cret"])
    #expect(page.status == 200)
    #expect(page.body.contains("<title>Fencepost live</title>"))
    for match in page.body.matches(of: /(?:src|href)="([^":]+)"/) {
      #expect(try Curl.run(jar + ["\(address)\(match.1)"]).status == 200, "\(match.1)")
    }
    #expect(try Curl.run(["\(address)state"]).status == 401)
    let stream = try LiveProcess(
      "curl", ["-s", "-S", "-N"] + jar + ["\(address)events"])
    try stream.wait("no stream") { $0.outputText.contains("event: state") }

    let track = try LiveSample.track("ride.csv")
    // Above nginx's own bound of 1 MB; what repeats is refused one by one.
    let text = String(decoding: track, as: UTF8.self)
    let file = try scratch.write(
      "ride.csv", String(repeating: text, count: 1_200_000 / track.count))
    let posted = try Curl.run(
      ["-u", ":s3cret", "--data-binary", "@\(file)", "\(address)fixes?device=bike"])
    #expect(posted.body.hasPrefix("{\"accepted\":217,"), "\(posted.body.prefix(300))")
    try stream.wait("the page is not told") { $0.outputText.contains("\"bike\"") }
    // What a page of the site asks for names the origin, and one of another site is refused.
    let origin = try #require(address.firstMatch(of: /^http:\/\/[^\/]+/)?.0)
    #expect(try Curl.run(jar + ["-H", "Origin: \(origin)", "\(address)state"]).status == 200)
    #expect(try Curl.run(jar + ["-H", "Origin: http://other", "\(address)state"]).status == 403)
  }

  @Test(
    "works below a path of nginx, as the guide sets it up",
    .enabled(if: Tool.has("nginx", "curl"), "skipped: nginx or curl is not installed"))
  func nginx() throws {
    let (scratch, port, serve) = (try Scratch(), try Tool.holdPort(), try Self.serve())
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "\($0)_temp_path \(scratch.path($0));"
    }
    let configuration = try scratch.write(
      "nginx.conf",
      """
      daemon off;
      master_process off;
      pid \(scratch.path("pid"));
      error_log stderr;
      events {}
      http {
        access_log off;
        \(folders.joined(separator: "\n"))
        server {
          listen 127.0.0.1:\(port);
          \(try Self.example("nginx", to: try serve.mapAddress()))
        }
      }
      """)
    let proxy = try LiveProcess("nginx", ["-p", scratch.url.path, "-c", configuration])
    try Self.use("http://127.0.0.1:\(port)/fence/", proxy, scratch)
    proxy.signal(SIGTERM)
    try proxy.end()
  }

  @Test(
    "works below a path of Caddy, as the guide sets it up",
    .enabled(if: Tool.has("caddy", "curl"), "skipped: caddy or curl is not installed"))
  func caddy() throws {
    let (scratch, port, serve) = (try Scratch(), try Tool.holdPort(), try Self.serve())
    let example = try Self.example("caddy", to: try serve.mapAddress())
    let file = try scratch.write(
      "Caddyfile",
      "{\nadmin off\n}\n"
        + example.replacing("example.org {", with: "http://127.0.0.1:\(port) {"))
    let proxy = try LiveProcess(
      "caddy", ["run", "--adapter", "caddyfile", "--config", file],
      environment: ["HOME": scratch.url.path, "XDG_DATA_HOME": scratch.url.path])
    try Self.use("http://127.0.0.1:\(port)/fence/", proxy, scratch)
    proxy.signal(SIGTERM)
    try proxy.end()
  }
}
