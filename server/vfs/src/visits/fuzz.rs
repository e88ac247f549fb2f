//! Fuzz target: any bytes as the body of a cache file of visits whose checksum is right.

use super::{VisitsBody, decode};

const ROOT: &[u8] = b"/root";

#[test]
fn bodies() {
    let body = VisitsBody { root: ROOT, visits: vec![(b"src/lib.rs", 1.5, 1_700_000_000), (b"a", 0.0, -1)] };
    let seeds = vec![postcard::to_stdvec(&body).expect("a body")];
    crate::fuzz_driver::run("cached-visits", seeds, |input| {
        let Some(visits) = decode(input, ROOT) else { return };
        for (path, ..) in visits.entries() {
            let names = path.as_bytes().split(|byte| *byte == b'/');
            assert!(names.into_iter().all(|name| !matches!(name, b"." | b"..")), "{path:?} leads out of the root");
        }
    });
}
