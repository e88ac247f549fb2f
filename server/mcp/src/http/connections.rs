//! `Connections`: counts open connections. Beyond the limit it closes the one that has waited longest for its client, so that
//! half-open connections never keep a complete request out.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

/// All open connections.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    table: Mutex<ConnectionTable>,
}

#[derive(Debug, Default)]
struct ConnectionTable {
    entries: BTreeMap<u64, ConnectionEntry>,
    /// Counter of events, a clock that never stands still.
    ticks: u64,
}

#[derive(Debug)]
struct ConnectionEntry {
    /// Tick since which the client owes the next request or the rest of one; `None` while a request is answered.
    waiting_since: Option<u64>,
    /// True if any request has been answered.
    is_served: bool,
    shed: Arc<Notify>,
}

/// One open connection. It counts until it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    id: u64,
    shed: Arc<Notify>,
    connections: Arc<Connections>,
}

impl Connections {
    /// Creates a limit of `max` connections.
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, table: Mutex::default() })
    }

    /// Counts a new connection. At the limit, closes the connection that has waited longest for its client instead; `None` if all
    /// connections are answering requests.
    pub(super) fn open(self: &Arc<Self>) -> Option<Connection> {
        let mut table = self.table();
        if table.entries.len() >= self.max {
            let victim = table.longest_waiting()?;
            table.entries.remove(&victim)?.shed.notify_one();
        }
        let id = table.tick();
        let shed = Arc::new(Notify::new());
        table
            .entries
            .insert(id, ConnectionEntry { waiting_since: Some(id), is_served: false, shed: Arc::clone(&shed) });
        Some(Connection { id, shed, connections: Arc::clone(self) })
    }

    fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        self.table.lock()
    }
}

impl ConnectionTable {
    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// Returns the connection to close. Connections that never sent a complete request go first.
    fn longest_waiting(&self) -> Option<u64> {
        let waiting =
            self.entries.iter().filter_map(|(id, entry)| Some(((entry.is_served, entry.waiting_since?), *id)));
        waiting.min().map(|(_, id)| id)
    }
}

impl Connection {
    /// Waits until this connection must make room for another one.
    pub(super) async fn shed(&self) {
        self.shed.notified().await;
    }

    /// Marks the connection as answering a complete request.
    pub(super) fn start_answer(&self) {
        if let Some(entry) = self.connections.table().entries.get_mut(&self.id) {
            entry.waiting_since = None;
        }
    }

    /// Marks the connection as waiting for its client again.
    pub(super) fn finish_answer(&self) {
        let mut table = self.connections.table();
        let now = table.tick();
        if let Some(entry) = table.entries.get_mut(&self.id) {
            entry.is_served |= entry.waiting_since.is_none();
            entry.waiting_since = Some(now);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.table().entries.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens three connections of three, applies `events` (`a1`: connection 1 begins to answer, `w1`: it waits again), and opens one
    /// more. Compares the connection that was closed for it.
    #[track_caller]
    fn check(events: &[&str], expect: Option<u64>) {
        let connections = Connections::new(3);
        let open: Vec<Connection> = (0..3).filter_map(|_| connections.open()).collect();
        let ids: Vec<u64> = open.iter().map(|connection| connection.id).collect();
        for event in events {
            let (what, at) = event.split_at(1);
            let connection = &open[at.parse::<usize>().expect("a number") - 1];
            if what == "a" { connection.start_answer() } else { connection.finish_answer() }
        }
        let more = connections.open();
        let left = connections.table();
        let closed = ids.iter().position(|id| !left.entries.contains_key(id)).map(|at| at as u64 + 1);
        assert_eq!((closed, more.is_some()), (expect, expect.is_some()), "{events:?}");
        drop(left);
    }

    #[test]
    fn closes_the_longest_waiting_connection() {
        check(&[], Some(1));
        check(&["a1"], Some(2));
        check(&["a1", "a2", "a3"], None);
        // Served connections are kept longer than those that never sent a complete request.
        check(&["a1", "w1"], Some(2));
        check(&["a1", "w1", "a2", "w2", "a3", "w3"], Some(1));
        check(&["a1", "w1", "a2", "w2", "a3", "w3", "a1", "w1"], Some(2));
        // An incomplete request does not count as served.
        check(&["w1", "w2", "w3"], Some(1));
    }

    #[test]
    fn reuses_closed_connections() {
        let connections = Connections::new(1);
        let first = connections.open().expect("there is room");
        first.start_answer();
        assert!(connections.open().is_none());
        drop(first);
        assert!(connections.open().is_some());
    }
}
