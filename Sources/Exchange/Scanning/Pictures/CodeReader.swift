import CPictures

/// Finds QR codes in pictures, with libzbar.
@safe package struct CodeReader: ~Copyable {
    /// Of one picture: a sheet of paper has fewer.
    package static let maximumCodes = 256

    private let scanner: OpaquePointer
    private let isThorough: Bool

    /// Larger pictures are neither enlarged nor sharpened.
    private static let mostEnlargedPixels = 4_000_000
    /// A code of the smallest version with one pixel for each module.
    private static let leastSide = 21

    /// - Parameter isThorough: true to search enlarged and sharpened copies, which takes several
    ///   times as long. For a camera, the next frame is better.
    package init(isThorough: Bool = true) {
        self.isThorough = isThorough
        guard let scanner = unsafe zbar_image_scanner_create() else {
            preconditionFailure("there is memory for it")
        }
        unsafe self.scanner = scanner
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        // The bytes of a code as they are. Otherwise the library guesses their character set.
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
        unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, 1)
    }

    deinit { unsafe zbar_image_scanner_destroy(scanner) }

    /// Finds the codes in a picture. An animation has one or more in each frame.
    /// - Parameter body: gets the content of each code.
    package func read(
        _ bytes: [UInt8], _ format: PictureFormat, _ body: ([UInt8]) -> Void
    ) throws(PictureError) {
        try GreyPicture.read(bytes, format) { picture in
            let codes = codes(in: picture)
            codes.forEach(body)
            return !codes.isEmpty
        }
    }

    /// Searches the picture as it is. If there is no code, searches copies of it: smaller ones
    /// against noise, sharpened and larger ones against blur and small modules.
    package func codes(in picture: GreyPicture) -> [[UInt8]] {
        let isSmall = picture.pixels.count <= Self.mostEnlargedPixels
        var smaller: GreyPicture? = picture
        while let current = smaller, min(current.width, current.height) >= Self.leastSide {
            let found = scan(current)
            guard found.isEmpty else { return found }
            smaller = current.halved
        }
        guard isThorough, isSmall else { return [] }
        for copy in [{ picture.sharpened }, { picture.doubled }, { picture.doubled.sharpened }] {
            let found = scan(copy())
            guard found.isEmpty else { return found }
        }
        return []
    }

    private func scan(_ picture: GreyPicture) -> [[UInt8]] {
        guard let image = unsafe zbar_image_create() else { return [] }
        defer { unsafe zbar_image_destroy(image) }
        // The code of the format Y800: one byte of brightness per pixel.
        unsafe zbar_image_set_format(image, 0x3030_3859)
        unsafe zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
        return unsafe picture.pixels.withUnsafeBytes { pixels in
            unsafe zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
            guard unsafe zbar_scan_image(scanner, image) > 0 else { return [] }
            var codes: [[UInt8]] = []
            var symbol = unsafe zbar_image_first_symbol(image)
            while let current = unsafe symbol, codes.count < Self.maximumCodes {
                if unsafe zbar_symbol_get_type(current) == ZBAR_QRCODE,
                    let data = unsafe zbar_symbol_get_data(current)
                {
                    let length = unsafe Int(zbar_symbol_get_data_length(current))
                    unsafe codes.append(Array(UnsafeRawBufferPointer(start: data, count: length)))
                }
                unsafe symbol = zbar_symbol_next(current)
            }
            return codes
        }
    }
}
