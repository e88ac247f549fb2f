//! Zed's side of the API: every function that an extension may call, answered from a [`World`]. What Zed checks is checked here:
//! downloads stay in the work directory, and no folder is made for them.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, PathBuf};
use std::process::{Command as Process, Stdio};

use serde_json::{Value, json};
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::handles::Shelf;
use crate::world::{DOWNLOADS, World};

wasmtime::component::bindgen!({
    path: "wit",
    with: {
        "worktree": crate::handles::Worktree,
        "project": crate::handles::Project,
        "key-value-store": crate::handles::Shelf,
    },
});

use zed::extension::github::{GithubRelease, GithubReleaseAsset, GithubReleaseOptions};
use zed::extension::platform::{Architecture, Os};
use zed::extension::{common, context_server, dap, github, http_client, lsp, nodejs, platform, process, slash_command};

/// The only worktree's number.
const WORKTREE: u64 = 7;

/// The data of a wasmtime store.
pub(crate) struct Host {
    pub(crate) wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) world: World,
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl Host {
    fn note(&mut self, what: String) {
        self.world.asked.push(what);
    }

    /// A path in the work directory, as Zed allows extensions to write to.
    fn writable(&self, path: &str) -> Result<PathBuf, String> {
        let path = PathBuf::from(path);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if plain { Ok(self.world.work.join(path)) } else { Err(format!("cannot write to path {}", path.display())) }
    }
}

impl ExtensionImports for Host {
    fn get_settings(
        &mut self,
        location: Option<SettingsLocation>,
        category: String,
        key: Option<String>,
    ) -> Result<String, String> {
        assert!(location.is_none_or(|location| location.worktree_id == WORKTREE && location.path.is_empty()));
        let key = key.expect("settings are asked for by name");
        self.note(format!("settings {category}.{key}"));
        let set = &self.world.settings[&category][&key];
        // Zed reads its settings into types and gives these to extensions, so that no field is missing.
        let given = match category.as_str() {
            "lsp" => {
                let binary = match &set["binary"] {
                    Value::Null => Value::Null,
                    binary => json!({"path": binary["path"], "arguments": binary["arguments"], "env": binary["env"]}),
                };
                let options = &set["initialization_options"];
                json!({"binary": binary, "initialization_options": options, "settings": set["settings"]})
            }
            "context_servers" if set.is_null() => json!({"command": null, "settings": {}}),
            "context_servers" => json!({"command": set["command"], "settings": set["settings"]}),
            _ => return Err(format!("Unknown settings category: {category}")),
        };
        Ok(given.to_string())
    }

    fn download_file(&mut self, url: String, path: String, kind: DownloadedFileType) -> Result<(), String> {
        let said = url.strip_prefix(DOWNLOADS).unwrap_or(&url).to_owned();
        self.note(format!("download {said} to {path}"));
        let to = self.writable(&path)?;
        let from = self.world.downloads.get(&url).ok_or("error sending request")?;
        let contents = match kind {
            DownloadedFileType::Uncompressed => fs::read(from),
            DownloadedFileType::Gzip => {
                let output = Process::new("gzip").arg("-dc").arg(from).stderr(Stdio::null()).output();
                output.map(|output| output.stdout)
            }
            DownloadedFileType::GzipTar | DownloadedFileType::Zip => unreachable!("no release has archives"),
        };
        let written = contents.and_then(|contents| fs::File::create(&to)?.write_all(&contents));
        written.map_err(|error| format!("{}: {error}", to.display()))
    }

    fn make_file_executable(&mut self, path: String) -> Result<(), String> {
        self.note(format!("executable {path}"));
        let path = self.writable(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o755)).map_err(|error| error.to_string())
    }

    fn set_language_server_installation_status(&mut self, server: String, status: LanguageServerInstallationStatus) {
        assert_eq!(server, "pathfinder");
        self.note(match status {
            LanguageServerInstallationStatus::None => "status none".to_owned(),
            LanguageServerInstallationStatus::Downloading => "status downloading".to_owned(),
            LanguageServerInstallationStatus::CheckingForUpdate => "status checking".to_owned(),
            LanguageServerInstallationStatus::Failed(why) => format!("status failed: {why}"),
        });
    }
}

impl HostWorktree for Host {
    fn id(&mut self, _worktree: Resource<Worktree>) -> u64 {
        WORKTREE
    }

    fn root_path(&mut self, _worktree: Resource<Worktree>) -> String {
        self.world.project.to_str().unwrap().to_owned()
    }

    fn read_text_file(&mut self, _worktree: Resource<Worktree>, path: String) -> Result<String, String> {
        self.note(format!("read {path}"));
        fs::read_to_string(self.world.project.join(path)).map_err(|error| error.to_string())
    }

    fn which(&mut self, _worktree: Resource<Worktree>, name: String) -> Option<String> {
        self.note(format!("which {name}"));
        self.world.which.clone()
    }

    fn shell_env(&mut self, _worktree: Resource<Worktree>) -> common::EnvVars {
        self.world.shell_env.clone()
    }

    fn drop(&mut self, worktree: Resource<Worktree>) -> wasmtime::Result<()> {
        self.table.delete(worktree)?;
        Ok(())
    }
}

impl HostProject for Host {
    fn worktree_ids(&mut self, _project: Resource<Project>) -> Vec<u64> {
        vec![WORKTREE]
    }

    fn drop(&mut self, project: Resource<Project>) -> wasmtime::Result<()> {
        self.table.delete(project)?;
        Ok(())
    }
}

impl HostKeyValueStore for Host {
    fn insert(&mut self, _store: Resource<Shelf>, _key: String, _value: String) -> Result<(), String> {
        unreachable!("nothing is indexed")
    }

    fn drop(&mut self, store: Resource<Shelf>) -> wasmtime::Result<()> {
        self.table.delete(store)?;
        Ok(())
    }
}

impl github::Host for Host {
    fn latest_github_release(&mut self, repo: String, options: GithubReleaseOptions) -> Result<GithubRelease, String> {
        self.note(format!("newest {repo}"));
        assert!(options.require_assets && !options.pre_release);
        let (tag, names) = self.world.newest.clone().ok_or("error sending request")?;
        let asset = |name: String| GithubReleaseAsset { download_url: format!("{DOWNLOADS}/{tag}/{name}"), name };
        Ok(GithubRelease { assets: names.into_iter().map(asset).collect(), version: tag })
    }

    fn github_release_by_tag_name(&mut self, _repo: String, _tag: String) -> Result<GithubRelease, String> {
        unreachable!("the newest is asked for")
    }
}

impl platform::Host for Host {
    fn current_platform(&mut self) -> (Os, Architecture) {
        self.world.platform
    }
}

// Imports that the extension does not use. A call to one of them would end the test.

impl http_client::Host for Host {
    fn fetch(&mut self, _request: http_client::HttpRequest) -> Result<http_client::HttpResponse, String> {
        unreachable!("downloads go through download-file")
    }

    fn fetch_stream(
        &mut self,
        _request: http_client::HttpRequest,
    ) -> Result<Resource<http_client::HttpResponseStream>, String> {
        unreachable!("downloads go through download-file")
    }
}

impl http_client::HostHttpResponseStream for Host {
    fn next_chunk(&mut self, _stream: Resource<http_client::HttpResponseStream>) -> Result<Option<Vec<u8>>, String> {
        unreachable!("no stream was given")
    }

    fn drop(&mut self, _stream: Resource<http_client::HttpResponseStream>) -> wasmtime::Result<()> {
        unreachable!("no stream was given")
    }
}

impl nodejs::Host for Host {
    fn node_binary_path(&mut self) -> Result<String, String> {
        unreachable!("the program needs no Node")
    }

    fn npm_package_latest_version(&mut self, _name: String) -> Result<String, String> {
        unreachable!("the program needs no Node")
    }

    fn npm_package_installed_version(&mut self, _name: String) -> Result<Option<String>, String> {
        unreachable!("the program needs no Node")
    }

    fn npm_install_package(&mut self, _name: String, _version: String) -> Result<(), String> {
        unreachable!("the program needs no Node")
    }
}

impl process::Host for Host {
    fn run_command(&mut self, _command: process::Command) -> Result<process::Output, String> {
        unreachable!("Zed starts the servers")
    }
}

impl dap::Host for Host {
    fn resolve_tcp_template(&mut self, _template: dap::TcpArgumentsTemplate) -> Result<dap::TcpArguments, String> {
        unreachable!("nothing is debugged")
    }
}

impl common::Host for Host {}
impl context_server::Host for Host {}
impl lsp::Host for Host {}
impl slash_command::Host for Host {}
