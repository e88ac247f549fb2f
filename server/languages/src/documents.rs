//! The formats of documents. They share the sites that publish them (`doc_sites`), anchors, and links in HTML.

pub(crate) mod asciidoc;
pub(crate) mod code_blocks;
pub(crate) mod code_links;
pub(crate) mod doc_sites;
pub(crate) mod html;
pub(crate) mod latex;
pub(crate) mod markdown;
pub(crate) mod rst;
