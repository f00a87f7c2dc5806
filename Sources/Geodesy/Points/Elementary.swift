// The elementary functions that Geodesy uses, from whichever C library the platform has. Their argument
// labels keep them apart from the C functions.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(ucrt)
  import ucrt
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// The sine of an angle.
@inline(__always)
func sin(radians angle: Double) -> Double { sin(angle) }

/// The cosine of an angle.
@inline(__always)
func cos(radians angle: Double) -> Double { cos(angle) }

/// The tangent of an angle.
@inline(__always)
func tan(radians angle: Double) -> Double { tan(angle) }

/// The angle in −π/2 … π/2 with a sine in −1 … 1.
@inline(__always)
func asin(sine: Double) -> Double { asin(sine) }

/// The angle from the x axis to a point of the plane, −π … π; 0 or ±π on the axis, by the signs of the zeros.
@inline(__always)
func atan2(y: Double, x: Double) -> Double { atan2(y, x) }

/// The cube root of a number of any sign.
@inline(__always)
func cubeRoot(_ number: Double) -> Double { cbrt(number) }
