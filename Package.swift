// swift-tools-version: 6.2

import PackageDescription

// The folders of Sources are the floors of the pipeline; Sources/README.md shows them. FencepostGeodesy is
// Sources/Core/Geodesy. A module may need those above it in this list, never one below, and names all that
// it imports: a change in any other would not rebuild it.

/// Warnings are errors where the SDK is known to give none.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error, .when(platforms: [.linux])),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// For code that runs once for a command or a page, where a smaller program starts sooner.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// With Swift's libraries inside, a program starts in three quarters of the time and needs no Swift. The flag
// alone does not name all that FoundationEssentials consists of. Functions that nobody calls are left out by
// the linker: only those of the C interface are looked up by their names.
func swiftInside(_ flag: String) -> [LinkerSetting] {
  let libraries = [
    "_FoundationCShims", "_FoundationCollections", "swiftSynchronization", "swift_RegexParser",
    "swift_StringProcessing",
  ]
  let flags = ["-static-stdlib", "-use-ld=lld", "-Xlinker", flag]
  return [.unsafeFlags(flags, .when(platforms: [.linux], traits: ["StaticSwift"]))]
    + libraries.map { .linkedLibrary($0, .when(platforms: [.linux], traits: ["StaticSwift"])) }
}

/// The targets of the named modules.
func fencepost(_ modules: [String]) -> [Target.Dependency] {
  modules.map { .byName(name: "Fencepost\($0)") }
}

/// A module in a folder of Sources.
func module(
  _ folder: String, needs modules: [String] = [], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: "Fencepost\(folder.split(separator: "/")[1])", dependencies: fencepost(modules) + others,
    path: "Sources/\(folder)", exclude: exclude, resources: resources, swiftSettings: settings)
}

/// A product that is one module, and those whose errors its functions throw, so that users can name them.
func library(_ names: [String]) -> Product {
  .library(name: "Fencepost\(names[0])", targets: names.map { "Fencepost\($0)" })
}

/// The tests of a module, in Tests/NAMETests.
func tests(
  of name: String, need modules: [String] = [], _ others: [Target.Dependency] = [],
  exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: fencepost(modules) + others + ["TestSupport"],
    path: "Tests/\(name)Tests", exclude: exclude, swiftSettings: strict + settings)
}

/// What tests share, in a folder of Tests.
func shared(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/\(folder)", swiftSettings: strict)
}

/// What most modules above the core need.
let core = [
  "Geodesy", "Time", "Formats", "Fixes", "Monitoring", "Notifications", "Phones", "Session",
]
let input = core + ["Files", "Tracks", "PlaceList", "Places"]
let use = input + ["Output", "Analysis", "Reporting"]
let live = use + ["StateFile", "StateDatabase", "HTTP"]
let studio = live + ["Live", "Expectations", "Tiles"]

/// A product of another package, which only the command fetches.
func product(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Command"]))
}
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { product($0, of: "swift-nio") }
let logging = product("Logging", of: "swift-log")
let command = product("ArgumentParser", of: "swift-argument-parser")

/// Stand-ins for Apple's frameworks on Linux; code as an app has it finds them by the frameworks' names.
let frameworks = ["CoreLocation", "UserNotifications", "BackgroundTasks"]
let standIns: [Target.Dependency] = frameworks.map {
  .byName(name: "\($0)StandIn", condition: .when(platforms: [.linux], traits: ["StandIns"]))
}
let asInApps: [SwiftSetting] = frameworks.map {
  let alias = ["-module-alias", "\($0)=\($0)StandIn"]
  return .unsafeFlags(alias, .when(platforms: [.linux], traits: ["StandIns"]))
}

let package = Package(
  name: "fencepost",
  platforms: [.macOS(.v15), .iOS(.v16), .watchOS(.v9), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .executable(name: "fencepost", targets: ["FencepostCommandLine"]),
    // The engine for other languages: swift build -c release --product FencepostCInterface
    .library(name: "FencepostCInterface", type: .dynamic, targets: ["FencepostCInterface"]),
  ]
    + [
      ["Geodesy"], ["Time"], ["Fixes"], ["Monitoring"], ["Session"], ["PlaceList"], ["Places"],
      ["StateFile"], ["Tracks", "Files"], ["Notifications", "Monitoring"], ["Apple", "StateFile"],
      ["Expectations", "Monitoring"], ["StateDatabase", "StateFile"],
    ].map(library),
  // Somebody who needs the core alone depends on this package without traits, and fetches nothing else.
  traits: [
    .default(enabledTraits: ["Command", "StaticSwift", "StandIns"]),
    .trait(name: "Command", description: "The command, Live, Studio and HTTP; fetches packages."),
    .trait(name: "StaticSwift", description: "Swift's libraries inside command and C interface."),
    .trait(name: "StandIns", description: "Apple's frameworks on Linux, for the tests."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    // System: what C libraries offer.
    .systemLibrary(
      name: "FencepostCLibXML2", path: "Sources/System/CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "FencepostCZlib", path: "Sources/System/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "FencepostCYAML", path: "Sources/System/CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .target(
      name: "FencepostCSpatiaLite", path: "Sources/System/CSpatiaLite",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    // libmosquitto, which few commands need, is opened when it is first used.
    .target(name: "FencepostCMosquitto", path: "Sources/System/CMosquitto"),
    // The pages are files, and the program is one file all the same: C's #embed takes a hundredth of the
    // time that a Swift array of the same bytes takes.
    .target(name: "FencepostCPages", path: "Sources/System/CPages"),

    // Core: for every platform that Swift has, with no system library, package, file or clock.
    module("Core/Geodesy"),
    module("Core/Time"),
    module("Core/Formats", needs: ["Time"]),
    module("Core/Fixes", needs: ["Geodesy"]),
    module("Core/Monitoring", needs: ["Geodesy", "Time"]),
    module("Core/Notifications", needs: ["Geodesy", "Time", "Monitoring"]),
    // The profiles are files that a reader and the schema can check, and the library needs no file.
    module(
      "Core/Phones", needs: ["Geodesy", "Formats", "Monitoring"],
      resources: [.embedInCode("Profiles")]),
    module("Core/Session", needs: core.dropLast()),

    // Input: bytes to fixes and places.
    module("Input/Files", needs: ["Formats", "CLibXML2", "CZlib"]),
    module("Input/Tracks", needs: ["Geodesy", "Time", "Formats", "Fixes", "Files"]),
    module("Input/SQLite", needs: ["CSpatiaLite"]),
    module("Input/PlaceList", needs: ["Geodesy", "Time", "Formats", "Monitoring"]),
    module("Input/Places", needs: core + ["PlaceList", "Files", "SQLite", "CSpatiaLite"]),

    // Use: many tracks, sentences and pages, sources and sinks.
    module("Use/StateFile", needs: ["Monitoring", "Notifications", "CZlib"]),
    module("Use/StateDatabase", needs: ["Notifications", "StateFile", "SQLite", "CSpatiaLite"]),
    module("Use/Output", needs: core),
    module("Use/Analysis", needs: input),
    module("Use/Reporting", needs: input + ["Output", "Analysis"]),
    module("Use/Expectations", needs: use),
    module("Use/HTTP", nio),
    module("Use/MQTT", needs: ["CMosquitto"]),
    module("Use/Tiles", needs: ["SQLite", "CSpatiaLite"]),
    module(
      "Use/Live", needs: live + ["MQTT"], [logging, product("CoreMetrics", of: "swift-metrics")]),
    module("Use/Studio", needs: studio + ["CPages"], exclude: ["Pages"], settings: small),

    // Faces: who calls.
    .executableTarget(
      name: "FencepostCommandLine",
      dependencies: fencepost(studio + ["Studio", "CYAML"]) + [command, logging],
      path: "Sources/Faces/CommandLine", swiftSettings: small,
      linkerSettings: swiftInside("--no-export-dynamic")),
    .target(
      name: "FencepostCInterface", dependencies: fencepost(core + ["Files", "Tracks", "Output"]),
      path: "Sources/Faces/C", exclude: ["exports.map", "fencepost.h"], swiftSettings: strict,
      linkerSettings: swiftInside(
        "--version-script=\(Context.packageDirectory)/Sources/Faces/C/exports.map")),
    module(
      "Faces/Apple", needs: ["Geodesy", "Monitoring", "Notifications", "StateFile"], standIns,
      resources: [.copy("PrivacyInfo.xcprivacy")],
      settings: strict + [.define("STAND_INS", .when(platforms: [.linux], traits: ["StandIns"]))]),
    // The code of the tutorial, with the settings that its readers have.
    .target(
      name: "StoryCore",
      dependencies: fencepost(["Apple", "Monitoring", "Notifications", "StateFile"]) + standIns,
      path: "Sources/Faces/Apple/Documentation.docc/Resources/StoryCore", swiftSettings: asInApps),
    .executableTarget(
      name: "Replay",
      dependencies: fencepost(["Apple", "Monitoring", "StateFile"]) + ["StoryCore"] + standIns,
      path: "Sources/Faces/Apple/Documentation.docc/Resources/Replay"),

    shared("TestSupport", in: "Support"),
    // PROJ's geodesics, which the tests compare ours with.
    .target(name: "FencepostCProj", path: "Tests/CProj"),
    shared("ProjGeodesics", in: "ProjGeodesics", fencepost(["CProj", "Geodesy"])),
    // The sample stories and tracks, and what a replay of them said.
    shared(
      "SampleStories", in: "SampleStories", fencepost(use) + ["ProjGeodesics", "TestSupport"]),
    shared("CoreLocationStandIn", in: "AppleStandIns/CoreLocation"),
    shared(
      "UserNotificationsStandIn", in: "AppleStandIns/UserNotifications", ["CoreLocationStandIn"]),
    shared("BackgroundTasksStandIn", in: "AppleStandIns/BackgroundTasks"),
    // What the fuzzer feeds, and the tests with what it found. libFuzzer is there in Tools/fuzz/run alone.
    shared("FuzzTargets", in: "FuzzTargets", fencepost(use + ["CProj"]) + ["TestSupport"]),
    .target(name: "CFuzzer", path: "Tools/fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tools/fuzz/Driver",
      swiftSettings: strict),

    tests(of: "Geodesy", need: ["Geodesy"], ["ProjGeodesics"], exclude: ["Reference"]),
    tests(of: "Time", need: ["Time"]),
    tests(of: "Formats", need: ["Formats"]),
    tests(of: "Fixes", need: ["Geodesy", "Fixes"], exclude: ["Filter/Recordings"]),
    tests(
      of: "Monitoring", need: ["CProj", "Geodesy", "Monitoring"], ["ProjGeodesics"],
      exclude: ["Stored"]),
    tests(of: "Notifications", need: core + ["StateFile", "StateDatabase"], exclude: ["Stored"]),
    tests(of: "Phones", need: ["Geodesy", "Formats", "Monitoring", "Phones"]),
    tests(of: "Session", need: use + ["StateFile"], ["SampleStories"]),
    tests(of: "Files", need: ["Files", "Formats"]),
    tests(of: "Tracks", need: ["Geodesy", "Time", "Formats", "Fixes", "Files", "Tracks"]),
    tests(of: "PlaceList", need: ["Geodesy", "Time", "Formats", "Monitoring", "PlaceList"]),
    tests(of: "Places", need: core + ["PlaceList", "Places"], ["ProjGeodesics"]),
    tests(of: "StateFile", need: ["Notifications", "StateFile"]),
    tests(of: "StateDatabase", need: ["StateFile", "StateDatabase"]),
    tests(of: "Analysis", need: use, ["SampleStories", "ProjGeodesics"]),
    tests(of: "Reporting", need: use),
    tests(of: "Expectations", need: use + ["Expectations"], ["SampleStories"]),
    tests(of: "HTTP", need: ["HTTP"]),
    tests(of: "Tiles", need: ["SQLite", "Tiles"]),
    tests(of: "Live", need: live + ["Live"], ["SampleStories"]),
    tests(of: "Studio", need: studio + ["Studio"], ["SampleStories"]),
    tests(of: "Command", need: ["Session", "StateFile", "StateDatabase"]),
    tests(
      of: "Apple", need: use + ["StateFile", "Expectations", "Apple"],
      ["StoryCore", "Replay"] + standIns, settings: asInApps),
    tests(of: "Fuzz", need: ["Tracks"], ["FuzzTargets"]),
  ]
)
