//! Fuzz target: feeds any bytes as messages of an MCP client, one per line.

use super::stdio::decode;
use pathfinder_protocol::request::{self, Defaults};

#[test]
fn messages() {
    crate::fuzz_driver::run("mcp-messages", Vec::new(), |input| {
        for line in input.split(|byte| *byte == b'\n') {
            _ = decode(line);
            let decoded = request::decode(line, Defaults { limit: 10, explain: false });
            assert!(decoded.request.is_err() || std::str::from_utf8(line).is_ok(), "a request that is no text");
        }
    });
}
