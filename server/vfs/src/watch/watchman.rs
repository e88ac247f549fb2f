//! `Watchman`: receives changes from a watchman that already watches a large tree, so that its directories are not
//! watched twice.
//!
//! Watchman is neither started nor made to watch anything: the user has done both. Like the system's own watches it
//! reports paths, but it lacks two things. A rename is reported as a removal and a creation, because only an inode
//! number connects them, and the next file may get that number. Permission changes of a directory look
//! like any change in it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use tokio::process::Command;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::timeout;
use watchman_client::fields::QueryFieldList;
use watchman_client::pdu::{Clock, SubscribeRequest, SyncTimeout};
use watchman_client::{CanonicalPath, Client, Connector, Error, Subscription, SubscriptionData};

use super::RawEvent;

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

/// A change that watchman reports.
#[derive(Clone, Debug, Deserialize)]
struct FileChange {
    /// Path relative to the root.
    name: PathBuf,
    exists: bool,
    /// True if the path did not exist before.
    new: bool,
    #[serde(rename = "type")]
    kind: String,
}

impl QueryFieldList for FileChange {
    fn field_list() -> Vec<&'static str> {
        vec!["name", "exists", "new", "type"]
    }
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
                    Ok((subscriptions, name)) => {
                        _ = ready.send(Ok(name));
                        follow(subscriptions, &sender, stopped).await;
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
    // The client crate would start watchman.
    let mut command = Command::new("watchman");
    command.args(["--no-spawn", "--no-local", "get-sockname"]).kill_on_drop(true);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().await.ok()?;
    let reply: SockName = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success())?;
    Some(reply.sockname)
}

/// Subscribes to everything below these roots.
async fn subscribe(roots: &[PathBuf]) -> Result<(Vec<(PathBuf, Subscription<FileChange>)>, String), String> {
    let describe = |error: Error| format!("watchman: {error}");
    let socket = socket().await.ok_or("watchman does not run, or is not installed")?;
    let client = Connector::new().unix_domain_socket(socket).connect().await.map_err(describe)?;
    let version = client.version().await.map_err(describe)?.version;
    let watched = client.watch_list().await.map_err(describe)?.roots;
    // Checked before the first root is resolved, because resolving makes watchman watch it.
    if let Some(root) = roots.iter().find(|root| !watched.iter().any(|watched| root.starts_with(watched))) {
        return Err(format!("watchman does not watch {}", root.display()));
    }
    let mut subscriptions = Vec::with_capacity(roots.len());
    for root in roots {
        subscriptions.push((root.clone(), subscribe_root(&client, root).await?));
    }
    Ok((subscriptions, format!("watchman {version}")))
}

async fn subscribe_root(client: &Client, root: &Path) -> Result<Subscription<FileChange>, String> {
    let describe = |error: Error| format!("watchman: {error}");
    let resolved =
        client.resolve_root(CanonicalPath::with_canonicalized_path(root.to_path_buf())).await.map_err(describe)?;
    let left_out = client.get_config(&resolved).await.map_err(describe)?.ignore_dirs.unwrap_or_default();
    if let Some(first) = left_out.iter().find(|left_out| resolved.project_root().join(left_out).starts_with(root)) {
        return Err(format!("watchman does not watch {}, as its configuration says (ignore_dirs)", first.display()));
    }
    // Changes after this clock are reported. The caller rescans for those before it.
    let clock = client.clock(&resolved, SyncTimeout::DisableCookie).await.map_err(describe)?;
    let request =
        SubscribeRequest { since: Some(Clock::Spec(clock)), empty_on_fresh_instance: true, ..Default::default() };
    Ok(client.subscribe(&resolved, request).await.map_err(describe)?.0)
}

/// Forwards changes until `stopped` fires or one subscription ends.
async fn follow(
    subscriptions: Vec<(PathBuf, Subscription<FileChange>)>,
    sender: &Sender<RawEvent>,
    stopped: oneshot::Receiver<()>,
) {
    let mut following = JoinSet::new();
    for (root, subscription) in subscriptions {
        following.spawn(forward(root, subscription, sender.clone()));
    }
    tokio::select! {
        _ = stopped => {}
        _ = following.join_next() => {
            tracing::warn!("watchman ended a subscription");
            // Sending fails if the receiver is gone too.
            _ = sender.send(RawEvent::Ended);
        }
    }
}

async fn forward(root: PathBuf, mut subscription: Subscription<FileChange>, sender: Sender<RawEvent>) {
    loop {
        let raw_events = match subscription.next().await {
            Ok(SubscriptionData::FilesChanged(changes)) if changes.is_fresh_instance => vec![RawEvent::Lost],
            Ok(SubscriptionData::FilesChanged(changes)) => {
                changes.files.unwrap_or_default().iter().flat_map(|entry| to_raw_events(&root, entry)).collect()
            }
            // A name is not UTF-8, so the path of the change is unknown.
            Err(Error::Deserialize { .. }) => vec![RawEvent::Lost],
            Ok(SubscriptionData::StateEnter { .. } | SubscriptionData::StateLeave { .. }) => Vec::new(),
            Ok(SubscriptionData::Canceled) | Err(_) => return,
        };
        for raw in raw_events {
            if sender.send(raw).is_err() {
                return;
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
