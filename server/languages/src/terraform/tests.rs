//! Fixtures of Terraform: found, missing and unreported paths.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    infra/modules/net/main.tf
    infra/files/user.sh
    infra/env/x.tf
";

#[test]
fn resolves_sources_and_files() {
    check(
        TREE,
        "infra/main.tf",
        r#"module "a" {
  source = "./modules/net"
}
module "b" { # source = "./no"
  source  = "./modules/gone"
  other = { source = "./no" }
}
module "c" {
  source = "terraform-aws-modules/vpc/aws"
}
module "d" {
  source = "git::https://x//y"
}
resource "x" "y" {
  source = "./modules/no"
  a = file("${path.module}/files/user.sh")
  b = templatefile("${path.module}/files/gone.sh", { x = "./no" })
  c = file("files/gone.txt")
  d = file("${var.x}/y")
  e = file("/etc/x")
  f = filebase64("${path.module}/files/lambda.zip")
  g = fileexists("${path.module}/files/o.txt") ? file("${path.module}/files/o.txt") : ""
  h = <<-EOT
    file("${path.module}/files/no.sh")
  EOT
  i = "${file("files/no.sh")}"
  j = file("elsewhere/z.txt")
}
"#,
        "tf.source ./modules/net → infra/modules/net
        tf.source ./modules/gone → missing
        tf.source terraform-aws-modules/vpc/aws → unknown elsewhere
        tf.source git::https://x//y → unknown elsewhere
        tf.file ${path.module}/files/user.sh → infra/files/user.sh
        tf.file ${path.module}/files/gone.sh → missing
        tf.file files/gone.txt → missing
        tf.file ${var.x}/y → unknown dynamic
        tf.file /etc/x → unknown elsewhere
        tf.file ${path.module}/files/lambda.zip → unknown produced
        tf.file ${path.module}/files/o.txt → unknown optional
        tf.file elsewhere/z.txt → unknown elsewhere",
    );
}

proptest! {
    #[test]
    fn accepts_any_text(text in r#"([(){}"\\\r\n #=<>$/*-]|module|source|file\(|"\./a"|EOT|é){0,40}"#) {
        crate::testing::assert_ranges_valid("a/x.tf", &text);
    }
}

#[test]
fn requires_files_in_modules() {
    check(
        "infra/docs/a.md\ninfra/bare/\ninfra/json/main.tf.json\ninfra/made/main.tf.tmpl\ninfra/lib/net/x.tf",
        "infra/main.tf",
        "module \"a\" {\n  source = \"./docs\"\n}\nmodule \"b\" {\n  source = \"./bare\"\n}\nmodule \"c\" {\n  source = \"./json\"\n}
module \"d\" {\n  source = \"./made\"\n}\nmodule \"e\" {\n  source = \"./lib\"\n}",
        "tf.source ./docs → missing
        tf.source ./bare → infra/bare
        tf.source ./json → infra/json
        tf.source ./made → infra/made
        tf.source ./lib → missing",
    );
}
