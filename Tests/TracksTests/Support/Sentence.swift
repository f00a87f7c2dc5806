/// Bytes of NMEA sentences with right checksums and CRLF, of texts without `$`.
func sentences(_ texts: String...) -> [UInt8] {
  texts.flatMap { sentence($0) }
}

func sentence(_ text: String) -> [UInt8] {
  let folded = text.utf8.reduce(0 as UInt8, ^)
  let digits = String(folded, radix: 16, uppercase: true)
  return Array("$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
}
