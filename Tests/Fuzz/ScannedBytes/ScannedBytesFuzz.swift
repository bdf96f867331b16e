import Laws

@_cdecl("LLVMFuzzerInitialize")
package func prepare(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    Fuzzing.prepare(ScannedBytesLaw.self)
}

@_cdecl("LLVMFuzzerTestOneInput")
package func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe Fuzzing.run(ScannedBytesLaw.self, start, count)
}
