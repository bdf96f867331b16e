/// A network interface other than the loopback. nil means unknown.
package struct NetworkInterface: Equatable, Sendable {
    package let name: String
    /// True if the interface is up.
    package let isUp: Bool?
    /// True if the interface has a carrier: a cable or a radio link to another device.
    package let isConnected: Bool?
}

/// A radio device, such as Wi-Fi or Bluetooth.
package struct Radio: Equatable, Sendable {
    /// The kernel's name of the kind: `wlan`, `bluetooth`, `wwan`.
    package let kind: String
    /// True if the radio is neither blocked nor switched off; nil where this is unknown.
    package let isOn: Bool?
}

extension SystemTree {
    /// All interfaces except the loopback; nil where they are unknown.
    package var networkInterfaces: [NetworkInterface]? {
        names(in: "/sys/class/net")?.compactMap { name in
            let folder = "/sys/class/net/\(name)"
            // The folder may also contain files that are no interfaces, such as the bonding
            // driver's. 772 is ARPHRD_LOOPBACK.
            guard exists("\(folder)/type"), number("\(folder)/type") != 772 else { return nil }
            let flags = value("\(folder)/flags").flatMap {
                $0.hasPrefix("0x") ? UInt32($0.dropFirst(2), radix: 16) : nil
            }
            return NetworkInterface(
                name: name, isUp: flags.map { $0 & 1 == 1 }, isConnected: isConnected(folder))
        }
    }

    private func isConnected(_ folder: String) -> Bool? {
        // `carrier` can't be read while the interface is down.
        if let carrier = truth("\(folder)/carrier") { return carrier }
        return switch value("\(folder)/operstate") {
        case "up": true
        case "down", "lowerlayerdown", "notpresent", "dormant", "testing": false
        default: nil
        }
    }

    /// The radios that have a kernel driver. nil where the kernel lists no rfkill switches and no
    /// radio: then it is unknown whether there is one.
    package var radios: [Radio]? {
        let switches = names(in: "/sys/class/rfkill")
        let switched = (switches ?? []).map { name in
            let folder = "/sys/class/rfkill/\(name)"
            let blocks = [truth("\(folder)/soft"), truth("\(folder)/hard")]
            return Radio(
                kind: value("\(folder)/type") ?? "unknown",
                isOn: blocks.contains(true) ? false : blocks.contains(nil) ? nil : true)
        }
        // A radio without an rfkill switch may be on.
        let others = radioKinds.filter { kind in !switched.contains { $0.kind == kind } }.map {
            Radio(kind: $0, isOn: nil)
        }
        return switches == nil && others.isEmpty ? nil : switched + others
    }

    /// The kinds of all radios that have a driver, with or without a switch, under the names that
    /// rfkill uses.
    private var radioKinds: [String] {
        let hasWirelessInterface =
            names(in: "/sys/class/net")?.contains { exists("/sys/class/net/\($0)/phy80211") } ?? false
        let kinds = [("wlan", "ieee80211"), ("bluetooth", "bluetooth"), ("wwan", "wwan")].filter {
            kind, folder in
            names(in: "/sys/class/\(folder)")?.isEmpty == false || kind == "wlan" && hasWirelessInterface
        }
        return kinds.map(\.0)
    }
}
