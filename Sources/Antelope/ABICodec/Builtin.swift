/// The types that every ABI has (AntelopeIO/spring, libraries/chain/abi_serializer.cpp,
/// configure_built_in_types). `extended_asset` is not in this list: the layout has it as a struct,
/// because it is encoded as one.
enum Builtin: String, CaseIterable, Sendable {
    case bool
    case int8, int16, int32, int64, int128
    case uint8, uint16, uint32, uint64, uint128
    case varint32, varuint32
    case float32, float64, float128
    case timePoint = "time_point"
    case timePointSec = "time_point_sec"
    case blockTimestamp = "block_timestamp_type"
    case name
    case bytes, string
    case checksum160, checksum256, checksum512
    case publicKey = "public_key"
    case signature
    case symbol
    case symbolCode = "symbol_code"
    case asset
    /// Since ABI 1.3.
    case bitset
}
