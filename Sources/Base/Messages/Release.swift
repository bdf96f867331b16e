/// The release that all programs of the package belong to.
package enum Release {
    package static let version = "0.1.0"
}
