import Laws

@_cdecl("LLVMFuzzerInitialize")
public func prepare(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt { Fuzzing.prepare() }

@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { unsafe Fuzzing.run(start, count) }
