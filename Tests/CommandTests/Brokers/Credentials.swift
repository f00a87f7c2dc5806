import Foundation
import TestSupport
import Testing

/// Certificates and passwords for a test's broker.
enum Credentials {
  /// Writes `ca.pem`; for each of `server`, `client` and `other` a certificate of it and its key (`.pem`, `.key`), of
  /// which `other` is for the name broker.example and the rest for 127.0.0.1; `users` with the user anna, and the
  /// password in `password`.
  static func make(_ scratch: Scratch) throws {
    let script = try LiveProcess(
      "sh",
      [
        "-ec",
        """
        cd "$0"
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
        for name in server client other; do
          openssl req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
          printf 'subjectAltName=IP:127.0.0.1' > $name.ext
          [ $name != other ] || printf 'subjectAltName=DNS:broker.example' > $name.ext
          openssl x509 -req -days 2 -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
            -extfile $name.ext -out $name.pem
        done
        mosquitto_passwd -c -b users anna s3cret
        printf 's3cret\\nmore\\n' > password
        """, scratch.url.path,
      ])
    try #require(try script.end() == 0, "\(script.errorText)")
  }

  /// The lines of a broker's configuration that encrypt with a certificate.
  static func lines(_ scratch: Scratch, _ name: String = "server") -> String {
    """
    cafile \(scratch.path("ca.pem"))
    certfile \(scratch.path("\(name).pem"))
    keyfile \(scratch.path("\(name).key"))
    """
  }
}
