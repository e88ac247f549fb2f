//! `Watchman`: receives changes from a watchman that already watches a large tree, so that its directories are not
//! watched twice.
//!
//! Watchman is neither started nor made to watch anything: the user has done both. Like the system's own watches it
//! reports paths, but it lacks two things. A rename is reported as a removal and a creation, because only an inode
//! number connects them, and the next file may get that number. Permission changes of a directory look
//! like any change in it.

mod connection;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::process::Command;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::RawEvent;
use connection::{Connection, FileChange, Report};

/// A watchman that does not answer within this time is not used. Directories are then watched one by one, or checked by
/// their times.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The environment variable with the socket path, also used by watchman's own clients.
const SOCKET: &str = "WATCHMAN_SOCK";

/// Receives changes until it is dropped.
pub(super) struct Watchman {
    /// Ends the thread when it is dropped.
    _stop: oneshot::Sender<()>,
}

impl Watchman {
    /// Subscribes to these roots (canonical) if watchman watches each of them or a directory above it. Also returns
    /// watchman's name and version.
    ///
    /// # Errors
    /// The reason in words if watchman cannot be reached or does not watch all roots.
    pub(super) fn start(roots: &[&Path], sender: Sender<RawEvent>) -> Result<(Self, String), String> {
        let (stop, stopped) = oneshot::channel();
        let (ready, subscribed_name) = channel();
        let roots: Vec<PathBuf> = roots.iter().map(|root| root.to_path_buf()).collect();
        let run = move || {
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => {
                    // `start` waits for this message.
                    _ = ready.send(Err(error.to_string()));
                    return;
                }
            };
            runtime.block_on(async {
                let subscribed = timeout(TIMEOUT, subscribe(&roots)).await;
                match subscribed.unwrap_or_else(|_| Err("watchman does not answer".to_owned())) {
                    Ok((connection, name)) => {
                        _ = ready.send(Ok(name));
                        tokio::select! {
                            _ = stopped => {}
                            why = forward(connection, &roots, &sender) => {
                                tracing::warn!("{why}");
                                // Sending fails if the receiver is gone too.
                                _ = sender.send(RawEvent::Ended);
                            }
                        }
                    }
                    Err(why) => _ = ready.send(Err(why)),
                }
            });
        };
        thread::Builder::new().name("watchman".to_owned()).spawn(run).map_err(|error| error.to_string())?;
        let name = subscribed_name.recv().map_err(|_| "watchman cannot be reached".to_owned())??;
        Ok((Self { _stop: stop }, name))
    }
}

/// Returns the path of watchman's socket, if it runs.
async fn socket() -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct SockName {
        sockname: PathBuf,
    }
    if let Some(given) = std::env::var_os(SOCKET) {
        return Some(given.into());
    }
    // Without the flags it starts watchman.
    let mut command = Command::new("watchman");
    command.args(["--no-spawn", "--no-local", "get-sockname"]).kill_on_drop(true);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().await.ok()?;
    let reply: SockName = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success())?;
    Some(reply.sockname)
}

/// Subscribes to everything below these roots. The name of a subscription is the number of its root.
async fn subscribe(roots: &[PathBuf]) -> Result<(Connection, String), String> {
    #[derive(Deserialize)]
    struct Version {
        version: String,
    }
    #[derive(Deserialize)]
    struct WatchList {
        roots: Vec<PathBuf>,
    }
    let socket = socket().await.ok_or("watchman does not run, or is not installed")?;
    let mut connection = Connection::open(&socket).await?;
    let Version { version } = connection.ask(&json!(["version"])).await?;
    let watched: WatchList = connection.ask(&json!(["watch-list"])).await?;
    // Checked before the first root is resolved, because resolving makes watchman watch it.
    if let Some(root) = roots.iter().find(|root| !watched.roots.iter().any(|watched| root.starts_with(watched))) {
        return Err(format!("watchman does not watch {}", root.display()));
    }
    for (number, root) in roots.iter().enumerate() {
        subscribe_root(&mut connection, number, root).await?;
    }
    Ok((connection, format!("watchman {version}")))
}

async fn subscribe_root(connection: &mut Connection, number: usize, root: &Path) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Project {
        watch: String,
        relative_path: Option<String>,
    }
    #[derive(Deserialize)]
    struct Configured {
        config: Configuration,
    }
    #[derive(Deserialize)]
    struct Configuration {
        ignore_dirs: Option<Vec<PathBuf>>,
    }
    #[derive(Deserialize)]
    struct Clock {
        clock: String,
    }
    #[derive(Deserialize)]
    struct Subscribed {}
    let text = root.to_str().ok_or("watchman is not asked about names that are not UTF-8")?;
    let Project { watch, relative_path } = connection.ask(&json!(["watch-project", text])).await?;
    let Configured { config } = connection.ask(&json!(["get-config", watch])).await?;
    let left_out = config.ignore_dirs.unwrap_or_default();
    if let Some(first) = left_out.iter().find(|left_out| Path::new(&watch).join(left_out).starts_with(root)) {
        return Err(format!("watchman does not watch {}, as its configuration says (ignore_dirs)", first.display()));
    }
    // Changes after this clock are reported. The caller rescans for those before it.
    let Clock { clock } = connection.ask(&json!(["clock", watch])).await?;
    let mut query = json!({ "fields": FileChange::FIELDS, "since": clock, "empty_on_fresh_instance": true });
    if let Some(relative) = relative_path {
        query["relative_root"] = json!(relative);
    }
    let Subscribed {} = connection.ask(&json!(["subscribe", watch, number.to_string(), query])).await?;
    Ok(())
}

/// Forwards changes until a subscription or the connection ends; returns the reason.
async fn forward(mut connection: Connection, roots: &[PathBuf], sender: &Sender<RawEvent>) -> String {
    loop {
        let report = match connection.next_report().await {
            Ok(report) => report,
            Err(why) => return why,
        };
        let raw_events = match report {
            Report::Changed { subscription, files } => {
                let Some(root) = subscription.parse().ok().and_then(|number: usize| roots.get(number)) else {
                    continue;
                };
                files.iter().flat_map(|entry| to_raw_events(root, entry)).collect()
            }
            Report::Lost => vec![RawEvent::Lost],
            Report::Canceled => return "watchman ended a subscription".to_owned(),
        };
        for raw in raw_events {
            if sender.send(raw).is_err() {
                return "nobody asks for changes any more".to_owned();
            }
        }
    }
}

/// Converts a change to events.
fn to_raw_events(root: &Path, entry: &FileChange) -> Vec<RawEvent> {
    let path = root.join(&entry.name);
    match (entry.exists, entry.new, entry.kind.as_str()) {
        // The entries in the directory are reported themselves.
        (true, false, "d") => Vec::new(),
        (true, false, "f") => vec![RawEvent::Written(path)],
        (true, true, "f") => vec![RawEvent::Entry(path.clone()), RawEvent::Written(path)],
        _ => vec![RawEvent::Entry(path)],
    }
}
