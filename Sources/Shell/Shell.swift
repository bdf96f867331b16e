// A program that imports Shell prints messages.
@_exported import Messages
