import Foundation
import HTTP
import LiveMap
import TestSupport
import Testing

@Suite("The map's site")
struct SiteTests {
  @Test("serves the page and its files, each of its kind and under a strict policy")
  func files() throws {
    let scene = try MapScene()
    let page = try scene.get("/")
    #expect(page.status == 200)
    #expect(page.body.contains("<title>Fencepost live</title>"))
    let policy = try #require(
      page.text.split(separator: "\r\n").first { $0.hasPrefix("Content-Security-Policy:") })
    #expect(policy.contains("default-src 'none'; script-src 'self'"))
    #expect(!policy.contains("unsafe"))
    // Nothing in the page itself needs more than the policy allows.
    #expect(page.body.firstMatch(of: /<script>|\son[a-z]+=|style=|javascript:/) == nil)
    for (path, type) in [
      ("/page.css", "text/css"), ("/page.js", "text/javascript"), ("/leaflet.css", "text/css"),
      ("/leaflet.js", "text/javascript"),
    ] {
      let file = try scene.get(path)
      #expect(file.status == 200)
      #expect(file.text.contains("Content-Type: \(type)"))
    }
    #expect(try scene.get("/favicon.ico").status == 204)
  }

  @Test(
    "serves no other path, however it is written",
    arguments: [
      "/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
      "/page.css/../../etc/passwd", "/./page.css", "/page.css%20", "/page.js/", "/leaflet",
      "/usr/share/javascript/leaflet/leaflet.css", "/..\\..\\etc\\passwd", "/fixes", "/pub",
      "/events/..", "/page%2ecss/x",
    ])
  func traversal(path: String) throws {
    let scene = try MapScene()
    #expect(try scene.get(path).status == 404)
  }

  @Test(
    "answers only where the client means this machine",
    arguments: [
      ("localhost", 200), ("127.0.0.1:8080", 200), ("LOCALHOST:1", 200), ("[::1]:9", 200),
      ("evil.example", 403), ("evil.example:8080", 403), ("localhost.evil.example", 403),
      ("127.0.0.1.evil.example", 403), ("192.168.1.5", 403), ("0.0.0.0", 403), ("", 403),
      ("evil.example#localhost", 403), ("localhost@evil.example", 403), ("map.example", 200),
    ] as [(String, Int)])
  func hosts(host: String, status: Int) throws {
    let scene = try MapScene { $0.hostNames = ["map.example"] }
    for path in ["/", "/events", "/state", "/page.js"] {
      let client = try RawClient(port: scene.port)
      try client.get(path, ["Host: \(host)"])
      try client.wait("no answer") { $0.status != nil }
      #expect(client.status == status)
    }
  }

  @Test("refuses pages of other sites, and lets its own ask")
  func origins() throws {
    let scene = try MapScene()
    let host = "Host: localhost:\(scene.port)"
    #expect(try scene.get("/state", [host, "Origin: https://evil.example"]).status == 403)
    #expect(try scene.get("/state", [host, "Origin: null"]).status == 403)
    #expect(try scene.get("/state", [host, "Origin: http://localhost:1"]).status == 403)
    #expect(
      try scene.get("/state", [host, "Origin: http://localhost:\(scene.port)"]).status == 200)
  }

  @Test("asks for the token everywhere, in the same way")
  func token() throws {
    let scene = try MapScene { $0.token = "s3cret &=;ü" }
    let host = "Host: localhost"
    for path in ["/", "/events", "/state", "/page.js", "/leaflet.js", "/nothing", "/?token=wrong"] {
      let client = try scene.get(path, [host])
      #expect(client.status == 401)
      #expect(client.text.contains("WWW-Authenticate: Basic"))
      #expect(!client.text.contains("s3cret"))
    }
    #expect(try scene.get("/", [host, "Authorization: Bearer s3cret &=;ü"]).status == 200)
    #expect(try scene.get("/", [host, "Authorization: Bearer s3cret &=;"]).status == 401)
    let welcome = try scene.get("/?token=s3cret%20%26%3D%3B%C3%BC", [host])
    #expect(welcome.status == 303)
    #expect(welcome.text.contains("Location: /\r\n"))
    let line = try #require(
      welcome.text.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    #expect(line.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    let cookie = line.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
    #expect(try scene.get("/state", [host, "Cookie: other=1; \(cookie)"]).status == 200)
    let stream = try RawClient(port: scene.port)
    try stream.get("/events", [host, "Cookie: \(cookie)"])
    try stream.wait("no stream") { $0.text.contains("event: state") }
    // The token in the address opens the page and nothing else.
    #expect(try scene.get("/events?token=s3cret%20%26%3D%3B%C3%BC", [host]).status == 401)
    #expect(try scene.get("/?token=s3cret%20%26%3D%3B%C3%BC", ["Host: evil.example"]).status == 403)
  }

  @Test("lets nobody change anything", arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
  func methods(method: String) throws {
    let scene = try MapScene()
    let client = try RawClient(port: scene.port)
    try client.send("\(method) / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    try client.waitForClose()
    #expect(client.status == 405)
    #expect(client.text.contains("Allow: GET, HEAD"))
  }
}
