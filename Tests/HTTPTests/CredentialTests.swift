import FencepostHTTP
import Testing

@Suite("A credential")
struct CredentialTests {
  private let credential = Credential("s3cret:wörd")

  private func request(_ authorization: String) -> HTTPRequest {
    HTTPRequest(
      method: "GET", path: "/",
      fields: [HTTPRequest.Field(name: "authorization", value: authorization)])
  }

  @Test("matches itself and nothing else")
  func matches() {
    #expect(credential.matches("s3cret:wörd"))
    for other in ["", "s", "s3cret:wör", "s3cret:wördx", "S3cret:wörd", "s3cret:wörds3cret:wörd"] {
      #expect(!credential.matches(other))
    }
  }

  @Test("is carried as a bearer token, or as the password of any user")
  func carried() {
    #expect(credential.isCarried(by: request("Bearer s3cret:wörd")))
    // printf 'alice:s3cret:wörd' | base64
    #expect(credential.isCarried(by: request("Basic YWxpY2U6czNjcmV0OnfDtnJk")))
    #expect(credential.isCarried(by: request("basic OnMzY3JldDp3w7ZyZA==")))
    for bad in [
      "", "Bearer", "Bearer x", "Basic", "Basic ???", "Basic YWxpY2U=", "Digest s3cret:wörd",
      "s3cret:wörd",
    ] {
      #expect(!credential.isCarried(by: request(bad)))
    }
    #expect(Credential.user(of: request("Basic YWxpY2U6czNjcmV0OnfDtnJk")) == "alice")
    #expect(Credential.user(of: request("Basic OnMzY3JldDp3w7ZyZA==")) == nil)
  }

  @Test(
    "of the basic scheme keeps its user name as written",
    arguments: [
      ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vOg==", "foo"), ("w7w6eA==", "ü"),
    ])
  func user(text: String, user: String) {
    #expect(Credential.user(of: request("Basic \(text)")) == user)
  }

  @Test(
    "that is not valid Base64 is ignored",
    arguments: ["", "Z", "Z g=", "Zm9v!"])
  func badBase64(text: String) {
    #expect(Credential.user(of: request("Basic \(text)")) == nil)
    #expect(!credential.isCarried(by: request("Basic \(text)")))
  }
}

@Suite("An address")
struct HTTPAddressTests {
  @Test(
    "is a host and a port",
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:0", "localhost", 0, true),
      ("[::1]:80", "::1", 80, true), ("127.9.9.9:1", "127.9.9.9", 1, true),
      (":8080", "", 8080, false), ("0.0.0.0:8080", "0.0.0.0", 8080, false),
      ("[::]:8080", "::", 8080, false), ("192.168.1.5:65535", "192.168.1.5", 65_535, false),
      ("127.0.0.1.example.org:80", "127.0.0.1.example.org", 80, false),
    ] as [(String, String, UInt16, Bool)])
  func reads(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
    let address = try #require(HTTPAddress(text))
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(
    "is numeric if no name server is involved",
    arguments: [
      ("127.0.0.1", true), ("192.168.1.5", true), ("::1", true), ("fe80::1:2", true),
      ("::ffff:10.0.0.1", true), ("localhost", false), ("127.0.0.1.example.org", false),
      ("1.2.3", false), ("256.1.1.1", false), ("1.2.3.4.5", false), ("cafe", false), ("", false),
      ("1.2.3.４", false), ("127.evil", false),
    ])
  func numbers(host: String, isNumeric: Bool) {
    #expect(HTTPAddress.isNumeric(host) == isNumeric)
    #expect(HTTPAddress.isLoopback(host) == ["127.0.0.1", "localhost", "::1"].contains(host))
  }

  @Test(
    "accepts nothing else",
    arguments: [
      "", "8080", "localhost", "localhost:", "localhost:65536", "localhost:-1", "a b:80", "::1:80",
      "[::1", "[::1]80", "http://localhost:80", "localhost:80/", "localhost:+80",
    ])
  func refuses(text: String) {
    #expect(HTTPAddress(text) == nil)
  }
}
