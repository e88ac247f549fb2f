//! Fuzz target: any bytes as a sequence of `textDocument/didChange` parameters, one per line.

use std::str::FromStr as _;

use tower_lsp_server::ls_types::{DidChangeTextDocumentParams, Uri};

use super::documents::Documents;
use super::line_index::{LineIndex, PositionEncoding};
use super::surrogates::replace_lone;

#[test]
fn survives_arbitrary_changes() {
    crate::fuzz_driver::run("lsp-changes", Vec::new(), |input| {
        let uri = Uri::from_str("file:///a/b.md").expect("a URI");
        let mut documents = Documents::default();
        documents.open(uri.clone(), 0, "[a](b.md)\r\n\u{1f600} [c](d.md)\n".to_owned());
        let encoding = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32][input.len() % 3];
        for line in input.split(|byte| *byte == b'\n') {
            let mut message = line.to_vec();
            replace_lone(&mut message);
            assert_eq!(message.len(), line.len(), "positions in the message moved");
            let changed = serde_json::from_slice::<DidChangeTextDocumentParams>(&message).is_ok_and(|params| {
                let version = params.text_document.version;
                documents.change(&uri, version, params.content_changes, encoding).is_ok()
            });
            if !changed {
                documents.mark_out_of_sync(uri.as_str());
            }
            let Some(text) = documents.text(uri.as_str()) else { continue };
            assert!(changed, "a text that is not known was given out");
            check_positions(text.document.text(), encoding);
        }
    });
}

/// Checks that each character's position leads back to it.
fn check_positions(text: &str, encoding: PositionEncoding) {
    let lines = LineIndex::new(text);
    for (offset, character) in text.char_indices() {
        let position = lines.position(text, offset, encoding);
        let back = lines.offset(text, position, encoding);
        // `\r
        // ` is one line end: its second half has no position of its own.
        assert!(back == offset || character == '\n', "{offset} {position:?} {back} in {text:?}");
    }
}
