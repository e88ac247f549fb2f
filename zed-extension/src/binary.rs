//! Finds the program or gets it: what the user set, the worktree's `PATH`, the release that this session has used, the newest
//! release, and where that cannot be had the newest that was installed before.

use std::fs;
use std::path::Path;

use zed_extension_api::{
    DownloadedFileType, GithubRelease, GithubReleaseOptions, LanguageServerId, LanguageServerInstallationStatus,
    Result, Worktree, current_platform, download_file, latest_github_release, make_file_executable,
    set_language_server_installation_status,
};

use crate::release::{self, NAME, PART};

/// The advice in errors about a missing program.
const ADVICE: &str =
    "Check the network, put pathfinder on the PATH, or set lsp.pathfinder.binary.path in Zed's settings.";

/// More advice where nothing is known of a `PATH`.
const PROJECT_ADVICE: &str = "Zed does not tell the agent's tools the PATH: open a file first, whose language server finds the program \
     there, or set context_servers.pathfinder.settings.binary.path.";

/// The program that this session has found. Paths are relative to the extension's directory; Zed adds it.
#[derive(Default)]
pub(crate) struct Binary {
    /// The program of the language server.
    used: Option<String>,
    /// The release that was installed, or found to be the newest.
    installed: Option<String>,
}

impl Binary {
    /// The program for a worktree; `set` is what the user has set.
    ///
    /// # Errors
    /// If there is none; why, and what to do.
    pub(crate) fn for_worktree(
        &mut self,
        set: Option<&str>,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<String> {
        let found = match set.map(str::to_owned).or_else(|| worktree.which(NAME)) {
            Some(path) => path,
            None => self.release(&|status| set_language_server_installation_status(id, &status))?,
        };
        self.used = Some(found.clone());
        Ok(found)
    }

    /// The program where nothing is known of the worktrees, as context servers are started: the language server's, if it runs.
    ///
    /// # Errors
    /// If there is none; why, and what to do.
    pub(crate) fn for_project(&mut self, set: Option<&str>) -> Result<String> {
        match set.or(self.used.as_deref()) {
            // A downloaded program may have been removed since.
            Some(path) if Some(path) != self.installed.as_deref() || is_file(path) => Ok(path.to_owned()),
            _ => self.release(&|_| {}).map_err(|error| format!("{error} {PROJECT_ADVICE}")),
        }
    }

    /// The newest release, or the newest that is here.
    fn release(&mut self, tell: &dyn Fn(LanguageServerInstallationStatus)) -> Result<String> {
        if let Some(installed) = self.installed.as_ref().filter(|path| is_file(path)) {
            return Ok(installed.clone());
        }
        tell(LanguageServerInstallationStatus::CheckingForUpdate);
        let found: Result<String> = newest(tell).or_else(|error| {
            let installed = newest_here().ok_or_else(|| format!("{error}. {ADVICE}"))?;
            // Zed writes this to its log. A person has nothing to do: what is here works.
            eprintln!("pathfinder: {error}; {installed} is used");
            Ok(installed)
        });
        match found {
            Ok(found) => {
                tell(LanguageServerInstallationStatus::None);
                self.installed = Some(found.clone());
                Ok(found)
            }
            Err(error) => {
                tell(LanguageServerInstallationStatus::Failed(error.clone()));
                Err(error)
            }
        }
    }
}

/// The newest release; it is downloaded unless it is here.
fn newest(tell: &dyn Fn(LanguageServerInstallationStatus)) -> Result<String> {
    let (os, architecture) = current_platform();
    let target = release::target(os, architecture)?;
    let options = GithubReleaseOptions { require_assets: true, pre_release: false };
    let newest = latest_github_release(release::repository(), options)
        .map_err(|error| format!("the releases of {} could not be asked for: {error}", release::repository()))?;
    let folder = release::folder(&newest.version)?;
    let program = format!("{folder}/{}", release::program(os));
    if is_file(&program) {
        return Ok(program);
    }
    tell(LanguageServerInstallationStatus::Downloading);
    let part = format!("{folder}{PART}");
    // Remains of an earlier attempt.
    _ = fs::remove_dir_all(&part);
    let installed = fetch(&newest, target, &part, release::program(os)).and_then(|()| {
        // Another window may have been faster.
        fs::rename(&part, &folder)
            .or_else(|error| if is_file(&program) { Ok(()) } else { Err(error) })
            .map_err(|error| format!("{part} could not be renamed to {folder}: {error}"))
    });
    if installed.is_err() {
        _ = fs::remove_dir_all(&part);
    } else {
        remove_others(&folder);
    }
    installed.map(|()| program)
}

/// Downloads the program of a release into a folder, and sees that it is what was released.
fn fetch(newest: &GithubRelease, target: &str, folder: &str, program: &str) -> Result<()> {
    let (compressed, sum) = release::assets(target);
    let url = |name: &str| {
        let asset = newest.assets.iter().find(|asset| asset.name == name);
        let missing = || format!("release {} has no {name}: there is none for this machine yet", newest.version);
        asset.map(|asset| asset.download_url.clone()).ok_or_else(missing)
    };
    let (compressed_url, sum_url) = (url(&compressed)?, url(&sum)?);
    // Zed makes files, but no folders.
    fs::create_dir_all(folder).map_err(|error| format!("{folder} could not be made: {error}"))?;
    let (program, sum_file) = (format!("{folder}/{program}"), format!("{folder}/{sum}"));
    let download = |url: &str, to: &str, kind| {
        download_file(url, to, kind).map_err(|error| format!("{url} could not be downloaded: {error}"))
    };
    // The small one first: without it the large one is of no use.
    download(&sum_url, &sum_file, DownloadedFileType::Uncompressed)?;
    let text = fs::read_to_string(&sum_file).map_err(|error| format!("{sum_file} could not be read: {error}"))?;
    let expected = release::checksum(&text).ok_or_else(|| format!("{sum_url} is no checksum"))?;
    download(&compressed_url, &program, DownloadedFileType::Gzip)?;
    let found = fs::File::open(&program).and_then(release::checksum_of);
    let found = found.map_err(|error| format!("{program} could not be read: {error}"))?;
    if found != expected {
        return Err(format!(
            "the checksum of {compressed_url} is {found}, and should be {expected}: it was damaged on its way or is not what \
             was released, and has been removed"
        ));
    }
    make_file_executable(&program).map_err(|error| format!("{program} could not be made executable: {error}"))?;
    // It has done its work; and the folder has the program alone.
    _ = fs::remove_file(&sum_file);
    Ok(())
}

/// The newest release that was installed before.
fn newest_here() -> Option<String> {
    let program = release::program(current_platform().0);
    let folders = folders().into_iter().filter(|folder| is_file(&format!("{folder}/{program}")));
    let newest = folders.max_by_key(|folder| release::version_of(folder))?;
    Some(format!("{newest}/{program}"))
}

/// Removes the releases that are not used any more. One that still runs stays where the system keeps it from being removed.
fn remove_others(folder: &str) {
    for other in folders().iter().filter(|other| *other != folder) {
        _ = fs::remove_dir_all(other);
    }
}

/// The folders of releases.
fn folders() -> Vec<String> {
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| release::version_of(name).is_some()).collect()
}

fn is_file(path: &str) -> bool {
    Path::new(path).is_file()
}
