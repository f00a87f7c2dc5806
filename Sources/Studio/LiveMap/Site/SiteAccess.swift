import Foundation
import HTTP

/// Who may see the map and send fixes.
///
/// A page of another site must not reach it through the user's browser: not by a form (the origin must
/// be ours), nor by a name of its own that suddenly stands for this machine. Against such a name the host
/// must be known, or a token be asked for: the page does not know the token, and the browser sends what
/// it remembers of it, cookie or password, only to the host that it was given to.
struct SiteAccess {
  /// Where the server listens.
  var address: HTTPAddress
  /// The port, where the address leaves it open.
  var port: UInt16
  /// Names by which the server is known besides, in small letters: those of this machine, and those
  /// that the user has allowed.
  var ownNames: Set<String> = []
  var allowedNames: Set<String>
  /// The secret that is asked for, nil for none.
  var token: Credential?
  /// Told of what is refused because of its host or origin.
  var log = RefusalLog()

  /// The name of the cookie that carries the secret; cookies know no ports by themselves.
  var cookieName: String { "fencepost-\(port)" }

  /// Refuses a request that must not be answered; nil lets it pass.
  func refuse(_ request: HTTPRequest) -> HTTPResponse? {
    if token == nil, !(request.host.map(isKnown) ?? false) {
      if let host = request.host { log.note(host: host) }
      return HTTPResponse(
        .forbidden,
        sentence: "this host is not known here; a name is made known with --allow-host")
    }
    if let origin = request.field("origin"), !isOwn(origin, request) {
      log.note(origin: origin)
      return HTTPResponse(.forbidden, sentence: "pages of other sites may not ask here")
    }
    guard let token, !token.isCarried(by: request), !hasCookie(request, token) else { return nil }
    return HTTPResponse(
      .unauthorized,
      sentence: "a token is needed: as ?token=…, as a password, or as a bearer token",
      fields: [("WWW-Authenticate", "Basic realm=\"fencepost\", charset=\"UTF-8\"")])
  }

  private func isKnown(_ host: String) -> Bool {
    if HTTPAddress.isLoopback(host) || ownNames.contains(host) || allowedNames.contains(host) {
      return true
    }
    // Nobody else decides what an address in numbers stands for, or the one that the user gave.
    return !address.isLoopback
      && (HTTPAddress.isNumeric(host) || host == address.host.lowercased())
  }

  /// Whether an origin, such as `http://localhost:8080`, is the one that the request was sent to, or
  /// has a name that the user has allowed: a proxy may have sent the request on under another.
  private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    guard let authority = HTTPRequest.authority(ofOrigin: origin) else { return false }
    return authority.text == request.field("host")?.lowercased()
      || allowedNames.contains(authority.host)
  }

  private func hasCookie(_ request: HTTPRequest, _ token: Credential) -> Bool {
    for field in request.fields where field.name == "cookie" {
      for pair in field.value.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0] == cookieName, let value = Percent.decoded(parts[1]),
          token.matches(value)
        {
          return true
        }
      }
    }
    return false
  }

  /// Answers a request for the page that carries the secret in its address: the browser keeps it as a
  /// cookie, and the address is left without it.
  ///
  /// - Returns: Nil where there is no secret in the address, or not the right one.
  func welcome(_ request: HTTPRequest) -> HTTPResponse? {
    guard let token, request.method == "GET", request.path == "/",
      let tried = request.queryValue("token"), token.matches(tried)
    else { return nil }
    let cookie = "\(cookieName)=\(Percent.encoded(tried)); Path=/; HttpOnly; SameSite=Strict"
    return HTTPResponse(
      .seeOther,
      fields: [("Location", "/"), ("Set-Cookie", cookie), ("Cache-Control", "no-store")])
  }
}

/// Text in which only letters and digits stand for themselves.
enum Percent {
  private static let plain = CharacterSet(
    charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  static func encoded(_ text: String) -> String {
    // Nil only for what is no Unicode, which a string always is.
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  static func decoded(_ text: some StringProtocol) -> String? {
    text.removingPercentEncoding
  }
}
