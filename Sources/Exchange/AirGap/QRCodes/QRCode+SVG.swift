extension QRCode {
    /// The code as an SVG picture, with its quiet zone. One module is one unit; a viewer scales the
    /// picture.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[row, column] { column += 1 }
                let length = column - start
                if length > 0 {
                    path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/>
            <path fill="#000" d="\(path)"/>
            </svg>

            """
    }
}
