//! Fixtures of Nix: found, missing and unreported paths.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    nix/a.nix
    nix/mod/default.nix
    nix/dir/x.txt
    patches/p.patch
";

#[test]
fn resolves_paths() {
    check(
        TREE,
        "nix/x.nix",
        "{ pkgs ? import <nixpkgs> {} }: # ./no
let s = \"./no ${f \"./no\"} ./no\"; t = ''
  ./no ''${x} ${y} ./no ''' ./no
''; /* ./no */
in [ ./a.nix ./gone.nix (import ./mod) (import ./dir) ./dir ../patches/p.patch ../patches/gone.patch ./${x}.nix ./hardware-configuration.nix
  (if builtins.pathExists ./opt.nix then ./opt.nix else null) (a ./. ) (callPackage ./gone { }) 1./2 a/b ]",
        "nix.path ./a.nix → nix/a.nix
        nix.path ./gone.nix → missing
        nix.path ./mod → nix/mod/default.nix
        nix.path ./dir → missing
        nix.path ./dir → nix/dir
        nix.path ../patches/p.patch → patches/p.patch
        nix.path ../patches/gone.patch → missing
        nix.path ./${x}.nix → unknown dynamic
        nix.path ./hardware-configuration.nix → unknown produced
        nix.path ./opt.nix → unknown optional
        nix.path ./opt.nix → unknown optional
        nix.path ./. → nix
        nix.path ./gone → missing",
    );
}

proptest! {
    #[test]
    fn accepts_any_text(text in r#"([(){}"'\\\r\n #$/*.]|import|\./a|''|\$\{|é){0,40}"#) {
        crate::testing::assert_ranges_valid("a/x.nix", &text);
    }
}
