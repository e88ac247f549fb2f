//! Watchman: one that watches a large tree already tells us as well, so that its directories are not watched twice.
//!
//! It is neither started nor made to watch anything: whoever works in such a tree has done both. What it tells is where
//! something happened, as the system's own watches do; two things it does not. A renaming is one that goes and one that
//! comes, as all that connects the two is a number that the next file may get. And who may list a directory: that it has
//! other times is told for whatever happens in it.

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

/// One that does not answer within this time is no help: directories are then watched by ourselves, or looked at by times.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The variable with which watchman's own clients are told where it listens.
const SOCKET: &str = "WATCHMAN_SOCK";

/// Tells as long as it lives.
pub(super) struct Watchman {
    /// Ends the thread when it is dropped.
    _stop: oneshot::Sender<()>,
}

/// What is told of one path.
#[derive(Clone, Debug, Deserialize)]
struct FileChange {
    /// Relative to the root.
    name: PathBuf,
    exists: bool,
    /// Whether it was not there before.
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
    /// Begins to tell what happens below these roots (canonical), each of which it watches by itself or with a directory around
    /// it; also gives its name and version.
    ///
    /// # Errors
    /// In words, where it cannot be asked, or does not watch all of them.
    pub(super) fn start(roots: &[&Path], tell: Sender<RawEvent>) -> Result<(Self, String), String> {
        let (stop, stopped) = oneshot::channel();
        let (ready, subscribed_name) = channel();
        let roots: Vec<PathBuf> = roots.iter().map(|root| root.to_path_buf()).collect();
        let run = move || {
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => {
                    // Who began waits for it.
                    _ = ready.send(Err(error.to_string()));
                    return;
                }
            };
            runtime.block_on(async {
                let subscribed = timeout(TIMEOUT, subscribe(&roots)).await;
                match subscribed.unwrap_or_else(|_| Err("watchman does not answer".to_owned())) {
                    Ok((subscriptions, name)) => {
                        _ = ready.send(Ok(name));
                        follow(subscriptions, &tell, stopped).await;
                    }
                    Err(why) => _ = ready.send(Err(why)),
                }
            });
        };
        thread::Builder::new().name("watchman".to_owned()).spawn(run).map_err(|error| error.to_string())?;
        let name = subscribed_name.recv().map_err(|_| "watchman could not be asked".to_owned())??;
        Ok((Self { _stop: stop }, name))
    }
}

/// Where it listens, if it runs.
async fn socket() -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct SockName {
        sockname: PathBuf,
    }
    if let Some(given) = std::env::var_os(SOCKET) {
        return Some(given.into());
    }
    // The client crate would ask in a way that starts it.
    let mut command = Command::new("watchman");
    command.args(["--no-spawn", "--no-local", "get-sockname"]).kill_on_drop(true);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().await.ok()?;
    let changes: SockName = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success())?;
    Some(changes.sockname)
}

/// Has it tell of everything below these roots.
async fn subscribe(roots: &[PathBuf]) -> Result<(Vec<(PathBuf, Subscription<FileChange>)>, String), String> {
    let describe = |error: Error| format!("watchman: {error}");
    let socket = socket().await.ok_or("watchman does not run, or is not installed")?;
    let client = Connector::new().unix_domain_socket(socket).connect().await.map_err(describe)?;
    let version = client.version().await.map_err(describe)?.version;
    let watched = client.watch_list().await.map_err(describe)?.roots;
    // Before the first is resolved, as that makes it watch what it does not watch yet.
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
    // What it has not seen yet it will tell as newer than this; what happened before is for who looks after this has subscribed_name.
    let clock = client.clock(&resolved, SyncTimeout::DisableCookie).await.map_err(describe)?;
    let request =
        SubscribeRequest { since: Some(Clock::Spec(clock)), empty_on_fresh_instance: true, ..Default::default() };
    Ok(client.subscribe(&resolved, request).await.map_err(describe)?.0)
}

/// Passes on what is told, until nobody wants it any more or one of them ends.
async fn follow(
    subscriptions: Vec<(PathBuf, Subscription<FileChange>)>,
    tell: &Sender<RawEvent>,
    stopped: oneshot::Receiver<()>,
) {
    let mut following = JoinSet::new();
    for (root, subscription) in subscriptions {
        following.spawn(forward(root, subscription, tell.clone()));
    }
    tokio::select! {
        _ = stopped => {}
        _ = following.join_next() => {
            tracing::warn!("watchman tells nothing any more");
            // Who listened may be gone as well.
            _ = tell.send(RawEvent::Ended);
        }
    }
}

async fn forward(root: PathBuf, mut subscription: Subscription<FileChange>, tell: Sender<RawEvent>) {
    loop {
        let raw_events = match subscription.next().await {
            Ok(SubscriptionData::FilesChanged(changes)) if changes.is_fresh_instance => vec![RawEvent::Lost],
            Ok(SubscriptionData::FilesChanged(changes)) => {
                changes.files.unwrap_or_default().iter().flat_map(|entry| to_raw_events(&root, entry)).collect()
            }
            // A name that is no text: that something happened is all that is known of it.
            Err(Error::Deserialize { .. }) => vec![RawEvent::Lost],
            Ok(SubscriptionData::StateEnter { .. } | SubscriptionData::StateLeave { .. }) => Vec::new(),
            Ok(SubscriptionData::Canceled) | Err(_) => return,
        };
        for raw in raw_events {
            if tell.send(raw).is_err() {
                return;
            }
        }
    }
}

/// What an entry says.
fn to_raw_events(root: &Path, entry: &FileChange) -> Vec<RawEvent> {
    let path = root.join(&entry.name);
    match (entry.exists, entry.new, entry.kind.as_str()) {
        // What was made or went in it is told by itself.
        (true, false, "d") => Vec::new(),
        (true, false, "f") => vec![RawEvent::Written(path)],
        (true, true, "f") => vec![RawEvent::Entry(path.clone()), RawEvent::Written(path)],
        _ => vec![RawEvent::Entry(path)],
    }
}
