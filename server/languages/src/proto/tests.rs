//! Fixtures of proto files: found, missing and unreported imports.

use proptest::prelude::*;

use crate::testing::check;

#[test]
fn resolves_imports() {
    check(
        "
        proto/acme/v1/a.proto
        proto/acme/v1/b.proto
        vendored/other/v1/c.proto
        google/x.go
        ",
        "proto/acme/v2/d.proto",
        "syntax = \"proto3\"; // import \"acme/no.proto\";
import \"acme/v1/a.proto\";\nimport public 'acme/v1/gone.proto';\nimport \"other/v1/c.proto\";\nimport \"other/v1/gone.proto\";
import \"google/protobuf/any.proto\";\nimport \"google/api/http.proto\";\nimport \"validate/validate.proto\";\nimport \"other/gone.proto\";
import weak \"acme/v1/A.proto\";\nimport \"gone.proto\";\nmessage M { string import = 1 [x = \"acme/no.proto\"]; }",
        "proto.import acme/v1/a.proto → proto/acme/v1/a.proto
        proto.import acme/v1/gone.proto → missing
        proto.import other/v1/c.proto → vendored/other/v1/c.proto
        proto.import other/v1/gone.proto → missing
        proto.import google/protobuf/any.proto → unknown elsewhere
        proto.import google/api/http.proto → unknown elsewhere
        proto.import validate/validate.proto → unknown elsewhere
        proto.import other/gone.proto → unknown elsewhere
        proto.import acme/v1/A.proto → case-mismatch
        proto.import gone.proto → unknown elsewhere",
    );
}

proptest! {
    #[test]
    fn accepts_any_text(text in r#"([;{}"'\\\r\n\t /*]|import|public|a/b\.proto|é|a){0,40}"#) {
        crate::testing::assert_ranges_valid("a/x.proto", &text);
    }
}

#[test]
fn respects_buf_modules() {
    let text = "import \"acme/v1/a.proto\";\nimport \"lost.proto\";\nimport \"google/api/http.proto\";\nimport \"google/protobuf/any.proto\";";
    let closed = "proto.import acme/v1/a.proto → proto/acme/v1/a.proto
        proto.import lost.proto → missing
        proto.import google/api/http.proto → missing
        proto.import google/protobuf/any.proto → unknown elsewhere";
    let open = "proto.import acme/v1/a.proto → proto/acme/v1/a.proto
        proto.import lost.proto → unknown elsewhere
        proto.import google/api/http.proto → unknown elsewhere
        proto.import google/protobuf/any.proto → unknown elsewhere";
    let files = "proto/acme/v1/a.proto";
    let path = "proto/acme/v2/b.proto";
    check(&format!("{files}\nbuf.yaml = version: v2\\nmodules:\\n  - path: proto"), path, text, closed);
    check(&format!("{files}\nproto/buf.yaml = version: v1"), path, text, closed);
    let dependencies = "version: v2\\nmodules:\\n  - path: proto\\ndeps:\\n  - buf.build/googleapis/googleapis";
    check(&format!("{files}\nbuf.yaml = {dependencies}"), path, text, open);
    check(files, path, text, open);
    check(&format!("{files}\nother/buf.yaml = version: v1"), path, text, open);
}

#[test]
fn resolves_paths_below_go_modules() {
    let tree = "go.mod = module example.com/a/b/v2\\n\napi/types/field.proto\nlib/go.mod = module example.com/lib\\n\nlib/x.proto
                moved plugin/old.proto api/types/field.proto";
    check(
        tree,
        "api/events/a.proto",
        "import \"example.com/a/b/api/types/field.proto\";\nimport \"example.com/a/b/v2/api/types/field.proto\";
import \"example.com/lib/x.proto\";\nimport \"example.com/a/b/plugin/old.proto\";
import \"example.com/a/bc/api/gone.proto\";\nimport \"example.com/other/gone.proto\";",
        "proto.import example.com/a/b/api/types/field.proto → api/types/field.proto
        proto.import example.com/a/b/v2/api/types/field.proto → api/types/field.proto
        proto.import example.com/lib/x.proto → lib/x.proto
        proto.import example.com/a/b/plugin/old.proto → moved
        proto.import example.com/a/bc/api/gone.proto → unknown elsewhere
        proto.import example.com/other/gone.proto → unknown elsewhere",
    );
}
