//! `pathfinder`: argv → edge.

#[cfg_attr(not(test), expect(dead_code, reason = "the edges that call it are written beside it"))]
mod os;

fn main() {}
