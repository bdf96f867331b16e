extension PublicKey {
    /// The key in the config.ini that nodeos makes, with its private key: everyone can use it.
    package static let developmentText = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
}
