import AirGap
import Scanning

/// A picture, or an animation, is read or refused. The frames of an animation are pictures.
public enum PictureLaw: Law {
    public static let name = "Picture"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let codes = try ["A", "UR:BYTES/1-2/ABC", "esr:abc"].map {
            try QRCode(Array($0.utf8), versions: .smallest ... .smallest)
        }
        let pictures = try codes.flatMap { code in try (1...3).map { try code.png(scale: $0) } }
        let animation = try QRAnimation(codes).png(scale: 1, milliseconds: 100)
        return pictures + [animation, Array(animation.dropLast(30)), [0xff, 0xd8, 0xff, 0xd9]]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let format = try? PictureFormat(of: input) else { return }
        try? CodeReader(isThorough: false).read(input, format) { _ in }
        guard format == .png else { return }
        var frames: [[UInt8]] = []
        try? PNGChunks.frames(of: input) { frames.append($0) }
        try law(frames.count <= PNGChunks.maximumFrames, "an animation has few frames")
        try law(frames.allSatisfy { (try? PictureFormat(of: $0)) == .png }, "a frame is a PNG picture")
    }
}
