//! Written files and messages.
