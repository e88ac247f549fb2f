//! `Host`: listens for guests, and serves each.

use std::net::Shutdown;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinSet};

use super::place::Place;
use super::socket::{Incoming, Listening, listen};
use super::{About, Edge, ShareError, Stream, look};

/// Guests at the same time. An editor and a handful of agents have one each; each is two threads.
const GUESTS: usize = 64;
/// After a guest that could not come in: there may be no more files to be opened, and then the next one fails at once.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves one guest until it is gone: what it says comes from the stream, and it is told what the host is.
pub(crate) type Serve = Arc<dyn Fn(Stream, About) -> BoxFuture<'static, ()> + Send + Sync>;

/// See the module's text.
pub(crate) struct Host {
    runtime: Handle,
    edge: Edge,
    serve: Serve,
    serving: Mutex<Option<Serving>>,
    /// Why it does not serve, so that it is logged once.
    said: Mutex<String>,
}

/// One place that is listened at.
struct Serving {
    place: Place,
    listening: Listening,
    task: AbortHandle,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Host {
    /// Serves nobody yet. Guests are served by tasks of this runtime.
    pub(crate) fn new(runtime: Handle, edge: Edge, serve: Serve) -> Self {
        Self { runtime, edge, serve, serving: Mutex::default(), said: Mutex::default() }
    }

    /// Listens at a place from now on, and at no other, unless somebody does whom this host leaves it to: an editor's server leaves it to
    /// another one, an agent's to whoever is there. Before any guest is answered `ready` is called. False if somebody else serves.
    pub(crate) fn claim(&self, place: &Place, ready: impl FnOnce()) -> bool {
        let mut serving = self.serving();
        if serving.as_ref().is_some_and(|serving| serving.place.is(place) && serving.listening.is_current()) {
            return true;
        }
        *serving = None;
        match self.begin(place, ready) {
            Ok(begun) => {
                *serving = begun;
                self.said().clear();
            }
            // It goes on without guests.
            Err(why) => {
                self.say(&why);
                return true;
            }
        }
        serving.is_some()
    }

    /// Whether it is still the one whom guests come to.
    pub(crate) fn is_current(&self) -> bool {
        self.serving().as_ref().is_some_and(|serving| serving.listening.is_current())
    }

    /// Serves nobody from now on. Guests see that it is gone.
    pub(crate) fn stop(&self) {
        *self.serving() = None;
    }

    fn begin(&self, place: &Place, ready: impl FnOnce()) -> Result<Option<Serving>, ShareError> {
        let replace = match self.edge {
            Edge::Agent => false,
            Edge::Editor => match look(place, || ()) {
                Ok(peer) if peer.about().edge == Edge::Editor => return Ok(None),
                Ok(_) | Err(ShareError::Nobody) => true,
                Err(why) => return Err(why),
            },
        };
        let failed = |error: std::io::Error| ShareError::Place {
            directory: place.sockets().to_owned(),
            reason: error.to_string(),
        };
        let _inside = self.runtime.enter();
        let Some(listening) = listen(place, replace).map_err(failed)? else { return Ok(None) };
        ready();
        tracing::info!(socket = %place.socket().display(), "serves its engine");
        let incoming = listening.incoming().map_err(failed)?;
        let task = self.runtime.spawn(receive(incoming, Arc::clone(&self.serve), place.about(self.edge)));
        Ok(Some(Serving { place: place.clone(), listening, task: task.abort_handle() }))
    }

    fn say(&self, why: &ShareError) {
        let why = why.to_string();
        let mut said = self.said();
        if *said != why {
            tracing::warn!("{why}");
            *said = why;
        }
    }

    fn serving(&self) -> MutexGuard<'_, Option<Serving>> {
        self.serving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self) -> MutexGuard<'_, String> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves all who come until it is dropped, and with it they.
async fn receive(incoming: Incoming, serve: Serve, about: About) {
    let mut guests = JoinSet::new();
    let count = Arc::new(AtomicUsize::new(0));
    loop {
        while guests.try_join_next().is_some() {}
        let stream = match incoming.next().await {
            Ok(stream) if guests.len() < GUESTS => stream,
            Ok(_) => {
                tracing::warn!("more than {GUESTS} guests: one is not let in");
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "a guest that did not come in");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Ok(open) = stream.try_clone() else { continue };
        let about = About { guests: count.fetch_add(1, Ordering::Relaxed) + 1, ..about.clone() };
        let guest = Served { stream: open, count: Arc::clone(&count) };
        let serving = serve(stream, about);
        guests.spawn(async move {
            let _guest = guest;
            serving.await;
        });
    }
}

/// A guest that is served. However that ends, it is told.
struct Served {
    stream: Stream,
    count: Arc<AtomicUsize>,
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.stream.shutdown(Shutdown::Both);
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
