//! The path as read, and what is left of it without leading segments.

use super::pool::{Generator, Pool};
use crate::asked::Asked;

/// Leading segments that are dropped one by one: deeper paths than this are somebody's home directory and a project.
const DROPPED_MAX: usize = 24;

pub(super) fn propose(asked: &Asked, pool: &mut Pool<'_>) {
    let layer = pool.layer();
    for target in &asked.targets {
        let name = &asked.names[target.name].text;
        for dropped in 0..=target.directories.len().min(DROPPED_MAX) {
            let rest = target.directories[dropped..].iter().map(|segment| segment.text.as_bytes());
            if let Some(node) = layer.find(rest.chain([name.as_bytes()])) {
                pool.add(node, Generator::Path, 1.0);
            }
        }
    }
}
