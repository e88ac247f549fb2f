//! Symbols asked through the public way in.
