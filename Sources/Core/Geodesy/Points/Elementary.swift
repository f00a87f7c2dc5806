// The elementary functions from the C library of the platform. The argument labels tell them apart
// from the C functions.

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

@inline(__always)
func sin(radians angle: Double) -> Double { sin(angle) }

@inline(__always)
func cos(radians angle: Double) -> Double { cos(angle) }

@inline(__always)
func tan(radians angle: Double) -> Double { tan(angle) }

@inline(__always)
func asin(sine: Double) -> Double { asin(sine) }

/// The angle from the x axis to a point, −π … π; on the axis, 0 or ±π by the signs of the zeros.
@inline(__always)
func atan2(y: Double, x: Double) -> Double { atan2(y, x) }

@inline(__always)
func cubeRoot(_ number: Double) -> Double { cbrt(number) }
