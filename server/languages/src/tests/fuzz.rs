//! Fuzz target: checks any bytes as a file of any language. The first line of an input is the path of the file.

#[path = "../../../../tests/fuzz/driver.rs"]
mod driver;

use super::{assert_ranges_valid, project};

#[test]
fn scanners() {
    driver::run("scanners", Vec::new(), |input| {
        let (path, content) =
            input.iter().position(|byte| *byte == b'\n').map_or((input, &[][..]), |at| input.split_at(at));
        if let Ok(path) = std::str::from_utf8(path) {
            assert_ranges_valid(path, content.strip_prefix(b"\n").unwrap_or(content), project());
        }
    });
}
