//! Tests of `MoveRewriter` for modules and packages that get other names: Haskell and groups of imports of Scala.

use super::move_edits::{check, check_moves};

#[test]
fn rewrites_the_package_of_a_group_of_imports() {
    let tree = "
        s/main/scala/a/io/udp/Packet.scala = package a.io.udp\\nclass Packet\\n
        s/main/scala/a/io/udp/Socket.scala = package a.io.udp\\nclass Socket\\n
        s/main/scala/a/Use.scala = package a\\nimport a.io.udp.{ Packet, Socket => S }\\nclass Use { def f = 1 }\\n
    ";
    let (packet, socket) = ("s/main/scala/a/io/udp/Packet.scala", "s/main/scala/a/io/udp/Socket.scala");
    let (new_packet, new_socket) = ("s/main/scala/a/net/udp/Packet.scala", "s/main/scala/a/net/udp/Socket.scala");
    check_moves(
        tree,
        &[(packet, new_packet), (socket, new_socket)],
        &[
            "s/main/scala/a/Use.scala: a.io.udp → a.net.udp",
            "s/main/scala/a/io/udp/Packet.scala: a.io.udp → a.net.udp",
            "s/main/scala/a/io/udp/Socket.scala: a.io.udp → a.net.udp",
        ],
    );
    // One of them stays: the import has to become two.
    check_moves(
        tree,
        &[(packet, new_packet)],
        &["s/main/scala/a/Use.scala: Packet → -", "s/main/scala/a/io/udp/Packet.scala: a.io.udp → a.net.udp"],
    );
}

/// The name of a module shows no separator until it has two segments, and no source directory of the new file.
#[test]
fn rewrites_modules_that_get_a_longer_name() {
    let tree = "
        x.cabal = library\\n  hs-source-dirs: app src\\n  other-modules: Main, A.Types\\n
        app/Main.hs = import A.Types\\n
        app/A/Types.hs
        app/Setup.hs = import Main\\n
    ";
    check(
        tree,
        "app/A/Types.hs",
        "src/Lib/Types.hs",
        &["app/Main.hs: A.Types → Lib.Types", "x.cabal: A.Types → Lib.Types"],
    );
    check(tree, "app/Main.hs", "app/B/Main.hs", &["app/Setup.hs: Main → B.Main", "x.cabal: Main → B.Main"]);
    check(tree, "app/Main.hs", "src/B/Main.hs", &["app/Setup.hs: Main → B.Main", "x.cabal: Main → B.Main"]);
}
