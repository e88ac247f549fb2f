//! The search for the program: each branch, with the calls to Zed and the files left in the work directory.

use serde_json::json;

use crate::extension::Running;
use crate::imports::zed::extension::platform::{Architecture, Os};
use crate::world::World;

const LINUX: &str = "x86_64-unknown-linux-gnu";

fn world(change: impl FnOnce(&mut World)) -> Running {
    let mut world = World::new();
    change(&mut world);
    Running::on(world)
}

/// The language server's command comes out so; `asked` is what Zed was asked besides settings.
#[track_caller]
fn check(zed: &mut Running, expect: Result<&str, &str>, asked: &[&str], kept: &[&str]) {
    zed.world().take_asked();
    let command = zed.language_server().map(|command| [&[command.command][..], &command.args].concat().join(" "));
    match (&command, expect) {
        (Ok(command), Ok(expect)) => assert_eq!(command, expect),
        (Err(error), Err(expect)) => assert!(error.contains(expect), "{error}"),
        _ => panic!("{command:?} is not {expect:?}"),
    }
    let said = zed.world().take_asked();
    let said: Vec<&str> = said.iter().map(String::as_str).filter(|said| !said.starts_with("settings ")).collect();
    assert_eq!(said.len(), asked.len(), "{said:#?}");
    // Failures are compared by their beginning.
    assert!(said.iter().zip(asked).all(|(said, asked)| said.starts_with(asked)), "{said:#?}");
    assert_eq!(zed.world().kept(), kept);
}

const ASKED: [&str; 3] = ["which pathfinder", "status checking", "newest pathfinder-dev/pathfinder"];
const FETCHED: [&str; 5] = [
    "status downloading",
    "download /v1.2.0/pathfinder-x86_64-unknown-linux-gnu.sha256 to pathfinder-1.2.0.part/",
    "download /v1.2.0/pathfinder-x86_64-unknown-linux-gnu.gz to pathfinder-1.2.0.part/pathfinder",
    "executable pathfinder-1.2.0.part/pathfinder",
    "status none",
];

#[test]
fn what_is_set_comes_first() {
    let mut zed = world(|world| {
        world.settings = json!({"lsp": {"pathfinder": {"binary": {"path": "/mine/pathfinder"}}}});
        world.which = Some("/usr/bin/pathfinder".to_owned());
    });
    check(&mut zed, Ok("/mine/pathfinder lsp"), &[], &[]);
}

#[test]
fn then_the_path_of_the_worktree() {
    let mut zed = world(|world| {
        world.settings = json!({"lsp": {"pathfinder": {"binary": {"path": "", "arguments": ["lsp", "--root", "x"]}}}});
        world.which = Some("/usr/bin/pathfinder".to_owned());
        world.release("1.2.0", LINUX, "newer");
    });
    check(&mut zed, Ok("/usr/bin/pathfinder lsp --root x"), &["which pathfinder"], &[]);
}

#[test]
fn then_the_newest_release_once() {
    let mut zed = world(|world| world.release("1.2.0", LINUX, "the program"));
    let asked = [&ASKED[..], &FETCHED].concat();
    let here = ["pathfinder-1.2.0/pathfinder"];
    check(&mut zed, Ok("pathfinder-1.2.0/pathfinder lsp"), &asked, &here);
    let program = zed.world().work.join(here[0]);
    assert_eq!(std::fs::read_to_string(&program).unwrap(), "the program");
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(program.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    // This session does not ask again;
    check(&mut zed, Ok("pathfinder-1.2.0/pathfinder lsp"), &["which pathfinder"], &here);
    // the next one whether there is a newer one.
    let mut zed = zed.restarted();
    check(&mut zed, Ok("pathfinder-1.2.0/pathfinder lsp"), &[&ASKED[..], &["status none"]].concat(), &here);
    // A removed program is fetched again.
    std::fs::remove_dir_all(zed.world().work.join("pathfinder-1.2.0")).unwrap();
    check(&mut zed, Ok("pathfinder-1.2.0/pathfinder lsp"), &asked, &here);
}

#[test]
fn a_newer_release_takes_the_place_of_others() {
    let mut zed = world(|world| {
        world.install("pathfinder-1.1.0", "old");
        world.install("pathfinder-1.2.0.part", "of an attempt that was broken off");
        world.install("notes", "not ours");
        world.release("1.2.0", LINUX, "new");
    });
    let asked = [&ASKED[..], &FETCHED].concat();
    check(
        &mut zed,
        Ok("pathfinder-1.2.0/pathfinder lsp"),
        &asked,
        &["notes/pathfinder", "pathfinder-1.2.0/pathfinder"],
    );
}

#[test]
fn without_a_network_the_newest_that_is_here() {
    let mut zed = world(|world| {
        world.install("pathfinder-1.9.0", "older");
        world.install("pathfinder-1.10.0", "newer");
        world.install("pathfinder-1.11.0.part", "incomplete");
    });
    let here = ["pathfinder-1.10.0/pathfinder", "pathfinder-1.11.0.part/pathfinder", "pathfinder-1.9.0/pathfinder"];
    check(&mut zed, Ok("pathfinder-1.10.0/pathfinder lsp"), &[&ASKED[..], &["status none"]].concat(), &here);
}

#[test]
fn without_a_network_and_without_any() {
    let mut zed = world(|_| {});
    let asked =
        [&ASKED[..], &["status failed: the releases of pathfinder-dev/pathfinder could not be asked for"]].concat();
    check(&mut zed, Err("Check the network, put pathfinder on the PATH"), &asked, &[]);
    // Once there is one, all is well without a restart.
    zed.world().release("1.2.0", LINUX, "the program");
    let asked = [&ASKED[..], &FETCHED].concat();
    check(&mut zed, Ok("pathfinder-1.2.0/pathfinder lsp"), &asked, &["pathfinder-1.2.0/pathfinder"]);
}

#[test]
fn a_network_that_breaks_off() {
    let mut zed = world(|world| {
        world.release("1.2.0", LINUX, "the program");
        world.downloads.retain(|url, _| url.ends_with(".sha256"));
    });
    let asked = [&ASKED[..], &FETCHED[..3], &["status failed: https://"]].concat();
    check(&mut zed, Err("pathfinder-x86_64-unknown-linux-gnu.gz could not be downloaded"), &asked, &[]);
}

#[test]
fn what_was_not_released_is_never_kept() {
    let other = |world: &mut World| {
        world.release("1.2.0", LINUX, "the program");
        let gz = world.downloads.iter().find(|(url, _)| url.ends_with(".gz")).unwrap().1.clone();
        let sum = world.downloads.iter().find(|(url, _)| url.ends_with(".sha256")).unwrap().1.clone();
        let sums = std::fs::read(&sum).unwrap();
        world.release("1.2.0", LINUX, "another program");
        assert!(gz.exists());
        std::fs::write(sum, sums).unwrap();
    };
    let mut zed = world(other);
    let asked = [&ASKED[..], &FETCHED[..3], &["status failed: the checksum of https://"]].concat();
    check(&mut zed, Err("has been removed. Check the network"), &asked, &[]);
    // An installed program is still used.
    let mut zed = world(|world| {
        world.install("pathfinder-1.1.0", "old");
        other(world);
    });
    let asked = [&ASKED[..], &FETCHED[..3], &["status none"]].concat();
    check(&mut zed, Ok("pathfinder-1.1.0/pathfinder lsp"), &asked, &["pathfinder-1.1.0/pathfinder"]);
}

#[test]
fn a_checksum_that_is_none() {
    let mut zed = world(|world| {
        world.release("1.2.0", LINUX, "the program");
        let sum = world.downloads.iter().find(|(url, _)| url.ends_with(".sha256")).unwrap().1;
        std::fs::write(sum, "<html>Not found</html>").unwrap();
    });
    let asked = [&ASKED[..], &FETCHED[..2], &["status failed: https://"]].concat();
    check(&mut zed, Err(".sha256 is no checksum"), &asked, &[]);
}

#[test]
fn every_machine_gets_its_own() {
    let targets = [
        (Os::Linux, Architecture::X8664, "x86_64-unknown-linux-gnu"),
        (Os::Linux, Architecture::Aarch64, "aarch64-unknown-linux-gnu"),
        (Os::Mac, Architecture::X8664, "x86_64-apple-darwin"),
        (Os::Mac, Architecture::Aarch64, "aarch64-apple-darwin"),
        (Os::Windows, Architecture::X8664, "x86_64-pc-windows-msvc"),
        (Os::Windows, Architecture::Aarch64, "aarch64-pc-windows-msvc"),
    ];
    for (os, architecture, target) in targets {
        let mut zed = world(|world| {
            world.platform = (os, architecture);
            world.release("1.2.0", target, target);
        });
        let command = zed.language_server().unwrap().command;
        let name = if os == Os::Windows { "pathfinder.exe" } else { "pathfinder" };
        assert_eq!(command, format!("pathfinder-1.2.0/{name}"));
        assert_eq!(std::fs::read_to_string(zed.world().work.join(command)).unwrap(), target);
    }
}

#[test]
fn a_machine_for_which_there_is_none() {
    let mut zed = world(|world| {
        world.platform = (Os::Linux, Architecture::X86);
        world.release("1.2.0", LINUX, "the program");
    });
    let asked = [&ASKED[..2], &["status failed: Pathfinder is not released for 32-bit"]].concat();
    check(&mut zed, Err("set lsp.pathfinder.binary.path"), &asked, &[]);
    let mut zed = world(|world| {
        world.platform = (Os::Mac, Architecture::Aarch64);
        world.release("1.2.0", LINUX, "the program");
    });
    let asked = [&ASKED[..], &["status downloading", "status failed: release v1.2.0 has no"]].concat();
    check(&mut zed, Err("there is none for this machine yet"), &asked, &[]);
    let mut zed = world(|world| {
        world.release("1.2.0", LINUX, "the program");
        world.newest.as_mut().unwrap().0 = "v1/../../2".to_owned();
    });
    let asked = [&ASKED[..], &["status failed: the tag of the latest release"]].concat();
    check(&mut zed, Err("is no version"), &asked, &[]);
}

#[test]
fn context_servers_take_what_the_language_server_has() {
    // Nothing is known of a `PATH`: what was downloaded, without a status, as there is no language server to show it at.
    let mut zed = world(|world| {
        world.which = Some("/usr/bin/pathfinder".to_owned());
        world.release("1.2.0", LINUX, "the program");
    });
    let command = zed.context_server().unwrap();
    assert_eq!((command.command.as_str(), command.args), ("pathfinder-1.2.0/pathfinder", vec!["mcp".to_owned()]));
    let asked = zed.world().take_asked();
    assert!(asked.iter().all(|asked| !asked.starts_with("status ") && !asked.starts_with("which ")), "{asked:?}");
    // Once the language server runs, the same as it.
    zed.language_server().unwrap();
    assert_eq!(zed.context_server().unwrap().command, "/usr/bin/pathfinder");
    // Settings of the context server take precedence.
    zed.world().settings = json!({"context_servers": {"pathfinder": {"settings": {"binary": {"path": "/mine"}}}}});
    assert_eq!(zed.context_server().unwrap().command, "/mine");
    // Without a network and without any, it is said why.
    let mut zed = world(World::unplug);
    let error = zed.context_server().map(|command| command.command).unwrap_err();
    assert!(error.contains("Check the network") && error.contains("open a file first"), "{error}");
}
