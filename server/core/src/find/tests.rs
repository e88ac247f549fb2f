//! Find, asked through the public way in.
