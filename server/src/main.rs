//! `pathfinder`: argv → edge.
fn main() {}
