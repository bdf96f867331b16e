/// How long a test waits for an event that always happens in a correct program.
///
/// Tests wait for the event itself. This limit only ends the test of a program that hangs; even a
/// loaded machine does not reach it.
public enum SafetyLimit {
    public static let seconds: Int32 = 600
    public static let milliseconds = 1_000 * seconds
    public static let microseconds = 1_000 * Int(milliseconds)
}
