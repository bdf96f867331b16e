/// How long a test waits for something that always happens in a sound program.
///
/// Tests wait for the event itself. This limit only ends the test of a program that hangs: no
/// loaded machine reaches it.
public enum SafetyLimit {
    public static let seconds: Int32 = 600
    public static let milliseconds = 1_000 * seconds
    public static let microseconds = 1_000 * Int(milliseconds)
}
