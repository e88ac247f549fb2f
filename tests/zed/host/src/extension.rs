//! `Running`: the component, loaded as Zed loads it: its work directory twice, and `PWD`.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use wasmtime::component::{Component, HasSelf, Linker, Resource, ResourceTable};
use wasmtime::{Engine, Store};
use wasmtime_wasi::{FsPerms, WasiCtx};

use crate::handles::{Project, Worktree};
use crate::imports::zed::extension::context_server::ContextServerConfiguration;
use crate::imports::{Command, Extension, Host};
use crate::world::World;

/// The name under which `extension.toml` registers both servers.
pub(crate) const ID: &str = "pathfinder";

/// A loaded extension and its store.
pub(crate) struct Running {
    pub(crate) store: Store<Host>,
    pub(crate) exports: Extension,
}

/// A file that `tests/run` has made.
pub(crate) fn built(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: use tests/run zed"));
    PathBuf::from(path)
}

/// Compiled once for all tests.
fn component() -> &'static (Engine, Component) {
    static COMPILED: OnceLock<(Engine, Component)> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let path = built("PATHFINDER_ZED_COMPONENT");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let engine = Engine::default();
        let begin = Instant::now();
        let component = Component::new(&engine, &bytes).unwrap();
        // Past the test harness, which would keep it to itself.
        _ = writeln!(std::io::stderr(), "component: {} bytes, compiled in {:?}", bytes.len(), begin.elapsed());
        (engine, component)
    })
}

impl Running {
    /// A new instance on a world.
    pub(crate) fn on(world: World) -> Self {
        let (engine, component) = component();
        let work = world.work.to_str().unwrap().to_owned();
        let mut wasi = WasiCtx::builder();
        wasi.inherit_stdio().env("PWD", &work).env("RUST_BACKTRACE", "full");
        for name in [".", work.as_str()] {
            wasi.preopened_dir(&work, name, FsPerms::ReadWrite).unwrap();
        }
        let host = Host { wasi: wasi.build(), table: ResourceTable::new(), world };
        let begin = Instant::now();
        let mut linker = Linker::new(engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).unwrap();
        Extension::add_to_linker::<_, HasSelf<_>>(&mut linker, |host| host).unwrap();
        let mut store = Store::new(engine, host);
        let exports = Extension::instantiate(&mut store, component, &linker).unwrap();
        exports.call_init_extension(&mut store).unwrap();
        static FIRST: OnceLock<()> = OnceLock::new();
        FIRST.get_or_init(|| {
            _ = writeln!(std::io::stderr(), "component: linked, made and initialised in {:?}", begin.elapsed());
        });
        Self { store, exports }
    }

    pub(crate) fn world(&mut self) -> &mut World {
        &mut self.store.data_mut().world
    }

    /// Another session with the same machine: the instance is a new one.
    pub(crate) fn restarted(self) -> Self {
        Self::on(self.store.into_data().world)
    }

    pub(crate) fn worktree(&mut self) -> Resource<Worktree> {
        self.store.data_mut().table.push(Worktree).unwrap()
    }

    pub(crate) fn project(&mut self) -> Resource<Project> {
        self.store.data_mut().table.push(Project).unwrap()
    }

    pub(crate) fn language_server(&mut self) -> Result<Command, String> {
        let worktree = self.worktree();
        self.exports.call_language_server_command(&mut self.store, ID, worktree).unwrap()
    }

    pub(crate) fn context_server(&mut self) -> Result<Command, String> {
        let project = self.project();
        self.exports.call_context_server_command(&mut self.store, ID, project).unwrap()
    }

    pub(crate) fn options(&mut self) -> serde_json::Value {
        let worktree = self.worktree();
        let options = self.exports.call_language_server_initialization_options(&mut self.store, ID, worktree).unwrap();
        serde_json::from_str(&options.unwrap().unwrap()).unwrap()
    }

    /// Returns Zed's answers to `workspace/configuration`, by section.
    pub(crate) fn configuration(&mut self) -> serde_json::Value {
        let worktree = self.worktree();
        let all = self.exports.call_language_server_workspace_configuration(&mut self.store, ID, worktree).unwrap();
        serde_json::from_str(&all.unwrap().unwrap()).unwrap()
    }

    pub(crate) fn described(&mut self) -> ContextServerConfiguration {
        let project = self.project();
        self.exports.call_context_server_configuration(&mut self.store, ID, project).unwrap().unwrap().unwrap()
    }

    /// A command as Zed starts it: a program without a place is one of the work directory.
    pub(crate) fn process(&mut self, command: &Command) -> std::process::Command {
        let world = self.world();
        let mut process = std::process::Command::new(world.work.join(&command.command));
        process.args(&command.args).envs(command.env.iter().map(|(name, value)| (name, value)));
        process.env("PATHFINDER_CACHE_DIR", world.beside().join("cache"));
        process
    }
}
