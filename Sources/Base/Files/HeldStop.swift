import CSystem

/// The stop of the program by Ctrl-Z, delayed while it must not stop. A question that is asked
/// meanwhile finds the signal, and can end the delay before the signal is delivered.
package struct HeldStop: ~Copyable {
    private let isHeld: Bool

    package init() { isHeld = signals_hold_stop() != 0 }

    /// A stop that arrived is delivered, at the end of a question if there is one.
    deinit { if isHeld { signals_release_stop() } }
}
