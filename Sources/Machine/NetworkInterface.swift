/// A network interface other than the loopback. nil is for what can't be told.
package struct NetworkInterface: Equatable, Sendable {
    package let name: String
    /// Whether it is switched on.
    package let isUp: Bool?
    /// Whether there is somebody at the other end.
    package let isConnected: Bool?

    package init(name: String, isUp: Bool?, isConnected: Bool?) {
        self.name = name
        self.isUp = isUp
        self.isConnected = isConnected
    }
}

/// A radio: of a wireless network, Bluetooth and the like.
package struct Radio: Equatable, Sendable {
    /// As the kernel calls it: `wlan`, `bluetooth`, `wwan`.
    package let kind: String
    /// Whether it is neither blocked nor switched off; nil where that can't be told.
    package let isOn: Bool?

    package init(kind: String, isOn: Bool?) {
        self.kind = kind
        self.isOn = isOn
    }
}

extension SystemTree {
    /// All but the loopback; nil where that can't be told.
    package var networkInterfaces: [NetworkInterface]? {
        names(in: "/sys/class/net")?.compactMap { name in
            let folder = "/sys/class/net/\(name)"
            // A file beside the links, as the bonding driver puts there; and ARPHRD_LOOPBACK.
            guard exists("\(folder)/type"), number("\(folder)/type") != 772 else { return nil }
            let flags = value("\(folder)/flags").flatMap {
                $0.hasPrefix("0x") ? UInt32($0.dropFirst(2), radix: 16) : nil
            }
            return NetworkInterface(name: name, isUp: flags.map { $0 & 1 == 1 }, isConnected: isConnected(folder))
        }
    }

    private func isConnected(_ folder: String) -> Bool? {
        // It can't be read where the interface is down.
        if let carrier = truth("\(folder)/carrier") { return carrier }
        return switch value("\(folder)/operstate") {
        case "up": true
        case "down", "lowerlayerdown", "notpresent", "dormant", "testing": false
        default: nil
        }
    }

    /// Those that the kernel drives; nil where it knows no switches of radios, and no radio:
    /// whether there is one can't be told then.
    package var radios: [Radio]? {
        let switches = names(in: "/sys/class/rfkill")
        let switched = (switches ?? []).map { name in
            let folder = "/sys/class/rfkill/\(name)"
            let blocks = [truth("\(folder)/soft"), truth("\(folder)/hard")]
            return Radio(
                kind: value("\(folder)/type") ?? "unknown",
                isOn: blocks.contains(true) ? false : blocks.contains(nil) ? nil : true)
        }
        // A radio may have no switch: what is there may be on.
        let others = radioKinds.filter { kind in !switched.contains { $0.kind == kind } }.map {
            Radio(kind: $0, isOn: nil)
        }
        return switches == nil && others.isEmpty ? nil : switched + others
    }

    /// The kinds of the radios that drivers made known, with a switch or without, called as
    /// switches call them.
    private var radioKinds: [String] {
        let hasWirelessInterface =
            names(in: "/sys/class/net")?.contains { exists("/sys/class/net/\($0)/phy80211") } ?? false
        let kinds = [("wlan", "ieee80211"), ("bluetooth", "bluetooth"), ("wwan", "wwan")].filter { kind, folder in
            names(in: "/sys/class/\(folder)")?.isEmpty == false || kind == "wlan" && hasWirelessInterface
        }
        return kinds.map(\.0)
    }
}
