//! `Workspace`: roots that stay open for an edge that runs on: read in the background, exchanged as a whole, with a
//! memory of what was used.

mod used;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pathfinder_core::index::Change;
use pathfinder_core::symbols::Symbols;
use pathfinder_core::{Answer, FindRequest, RelPath, Request};

use crate::find;
use crate::session::{self, AskError, Session, SessionError, Timing};
use crate::settings::Given;
use crate::symbols::{Asking, Reader, Trust};
use used::Used;

/// A tree that was read so long ago may have changed: an agent makes files while it works.
const STALE: Duration = Duration::from_secs(5);
/// A tree is read again at most for one part in so many of the time.
const STALE_FACTOR: u32 = 20;

/// Roots that stay open. All of it can be used from several threads at once.
pub(crate) struct Workspace(Arc<Shared>);

struct Shared {
    flags: Mutex<Given>,
    state: Mutex<State>,
    /// Told whenever the state changes.
    changed: Condvar,
    used: Mutex<Used>,
    /// Whether somebody tells what changes: then nothing is read again because time has passed.
    watched: AtomicBool,
    /// Reads what files declare.
    reader: Reader,
    /// Ends what runs in the background.
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The roots as given; empty is the default root, none is that nobody has opened any.
    roots: Option<Vec<PathBuf>>,
    /// Whether the user gave them, and so may mean the whole disk.
    given: bool,
    /// Goes up with every opening of other roots: what an older one found out is of no use.
    generation: u64,
    /// Whether a thread reads the roots.
    opening: bool,
    /// How many readings of roots have begun, and the last of them that has ended.
    begun: u64,
    ended: u64,
    /// Whether a thread reads what is left of git's history.
    reading_on: bool,
    session: Option<Arc<Session>>,
    /// Why the last opening failed.
    failure: Option<Arc<SessionError>>,
    /// Why the session's trees could not be read again, the last time.
    unread: Option<Arc<SessionError>>,
    /// When the session's trees were read, and how long that took.
    read: Option<(Instant, Duration)>,
    /// Goes up when trees or history were read, or could not be: what was told or used does not count.
    version: u64,
    /// Goes up when trees were read.
    trees: u64,
    /// What was told while the trees were read, by root: it may have happened behind the reader's back.
    told: Vec<(PathBuf, Vec<Change>)>,
}

/// Why a workspace has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum WorkspaceError {
    /// The roots cannot be used.
    #[error("{0}")]
    Roots(Arc<SessionError>),
    /// The request has no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl Workspace {
    /// Without roots yet.
    pub(crate) fn new(flags: Given) -> Self {
        Self(Arc::new(Shared {
            flags: Mutex::new(flags),
            state: Mutex::default(),
            changed: Condvar::new(),
            used: Mutex::default(),
            watched: AtomicBool::new(false),
            reader: Reader::default(),
            stop: AtomicBool::new(false),
        }))
    }

    /// Begins to read the roots that the user gave, in the background. Nothing happens if they are open.
    pub(crate) fn open(&self, roots: Vec<PathBuf>) {
        self.begin(roots, true);
    }

    /// The same for roots that a client names, or none for the default one: what is too wide to be a project is refused.
    pub(crate) fn offer(&self, roots: Vec<PathBuf>) {
        self.begin(roots, false);
    }

    fn begin(&self, roots: Vec<PathBuf>, given: bool) {
        let mut state = self.0.state();
        if state.roots.as_ref() == Some(&roots) {
            return;
        }
        let State { generation, begun, ended, version, trees, .. } = *state;
        *state = State {
            roots: Some(roots),
            given,
            generation: generation + 1,
            begun,
            ended,
            version,
            trees,
            ..State::default()
        };
        self.0.start(&mut state);
    }

    /// Whether any roots were opened.
    pub(crate) fn is_open(&self) -> bool {
        self.0.state().roots.is_some()
    }

    /// The roots, as soon as they are read; read again in the background if that was long ago.
    ///
    /// # Errors
    /// When the roots cannot be used. The next call tries again.
    pub(crate) fn session(&self) -> Result<Arc<Session>, WorkspaceError> {
        let mut state = self.0.state();
        let is_old = state.read.is_some_and(|(read, took)| read.elapsed() > STALE.max(took * STALE_FACTOR));
        let is_old = is_old && !self.0.watched.load(Ordering::Relaxed);
        let failed = state.session.is_none();
        if !state.opening && (is_old || failed || state.generation == 0) {
            state.generation = state.generation.max(1);
            state.roots.get_or_insert_default();
            self.0.start(&mut state);
        }
        self.0.wait(state, |state| !state.opening || state.session.is_some())
    }

    /// The roots as they were read last, or as they became by changes since; waits for the first reading.
    ///
    /// # Errors
    /// When the roots cannot be used.
    pub(crate) fn current(&self) -> Result<Arc<Session>, WorkspaceError> {
        let state = self.0.state();
        self.0.wait(state, |state| state.session.is_some() || !state.opening)
    }

    /// Waits until trees or history were read again since a version. `None` when the workspace is closed.
    pub(crate) fn newer(&self, than: u64) -> Option<Newer> {
        let closed = || self.0.stop.load(Ordering::Relaxed);
        // Other roots, or none, may have been chosen since: of those nothing is known yet.
        let nothing = |state: &State| state.version == than || state.session.is_none() && state.failure.is_none();
        let waiting = self.0.changed.wait_while(self.0.state(), |state| nothing(state) && !closed());
        let state = waiting.unwrap_or_else(PoisonError::into_inner);
        if closed() {
            return None;
        }
        let (version, trees) = (state.version, state.trees);
        Some(Newer { version, trees, session: self.0.wait(state, |_| true) })
    }

    /// From now on these flags hold. They count for what is read from then on.
    /// Whether they are others than before.
    pub(crate) fn configure(&self, flags: Given) -> bool {
        let mut now = self.0.flags.lock().unwrap_or_else(PoisonError::into_inner);
        let others = *now != flags;
        *now = flags;
        others
    }

    /// The roots as they were given.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        self.0.state().roots.clone().unwrap_or_default()
    }

    /// Has no roots from now on, as before the first were opened.
    pub(crate) fn shut(&self) {
        let mut state = self.0.state();
        let State { generation, begun, ended, version, trees, .. } = *state;
        *state = State { generation: generation + 1, begun, ended, version, trees, ..State::default() };
    }

    /// From now on somebody tells what changes.
    pub(crate) fn watch(&self) {
        self.0.watched.store(true, Ordering::Relaxed);
    }

    /// Takes in what happened below a root (by its canonical path), and gives the session after it; `None` if there is no
    /// such root any more.
    pub(crate) fn change(&self, root: &Path, changes: Vec<Change>) -> Option<Arc<Session>> {
        let mut state = self.0.state();
        let current = state.session.as_ref()?;
        let at = current.opened().iter().position(|opened| opened.root.canonical == root)?;
        let session = Arc::new(current.with_changes(at, &changes));
        state.session = Some(Arc::clone(&session));
        if state.opening {
            state.told.push((root.to_path_buf(), changes));
        }
        drop(state);
        self.0.read_symbols(Trust::All);
        Some(session)
    }

    /// Takes in that the contents of these files below a root (by its canonical path) are others.
    pub(crate) fn wrote(&self, root: &Path, files: &[String]) {
        self.0.reader.wrote(root, files);
        self.0.read_symbols(Trust::All);
    }

    /// Makes what runs in the background wait as long as this lives.
    pub(crate) fn asking(&self) -> Asking<'_> {
        self.0.reader.asking()
    }

    /// Reads the roots now, and gives them as they are.
    ///
    /// # Errors
    /// When the roots cannot be used, or not any more.
    pub(crate) fn reindex(&self) -> Result<Arc<Session>, WorkspaceError> {
        let mut state = self.0.state();
        // What runs may have begun before what the caller knows of happened. All who wait for the next one share it.
        let next = state.begun + 1;
        state = self
            .0
            .changed
            .wait_while(state, |state| state.opening && state.begun < next)
            .unwrap_or_else(PoisonError::into_inner);
        if state.begun < next {
            state.generation = state.generation.max(1);
            state.roots.get_or_insert_default();
            self.0.start(&mut state);
        }
        let session = self.0.wait(state, |state| state.ended >= next)?;
        match &self.0.state().unread {
            Some(error) => Err(WorkspaceError::Roots(Arc::clone(error))),
            None => Ok(session),
        }
    }

    /// Answers with what was used before, and remembers what was found.
    pub(crate) fn ask(&self, request: &Request) -> Result<Asked, WorkspaceError> {
        let session = self.session()?;
        let _asking = self.asking();
        let mut request = request.clone();
        let own = std::mem::take(&mut request.history);
        request.history = self.0.used().ring();
        request.history.extend(own);
        let (answer, timing) = session.ask(&request);
        Ok(Asked { answer: answer?, timing, request, session })
    }

    /// Finds files, and says in which roots.
    ///
    /// # Errors
    /// When the roots cannot be used.
    pub(crate) fn find(&self, request: &FindRequest) -> Result<(Arc<Session>, find::Asked), WorkspaceError> {
        let session = self.session()?;
        let _asking = self.asking();
        let found = find::find(&session, request);
        Ok((session, found))
    }

    /// Remembers that a path below a root of this session was answered or used.
    pub(crate) fn note(&self, session: &Session, root: usize, path: &RelPath) {
        let Some(opened) = session.opened().get(root) else { return };
        self.0.used().note(&opened.root, path);
    }

    /// Writes down what was used since the last time, and reads what other sessions wrote.
    pub(crate) fn keep(&self) {
        let Some(session) = self.0.state().session.clone() else { return };
        if self.0.used().keep(session.opened()) {
            self.0.familiarise();
        }
    }

    /// Ends what runs in the background, and keeps what was used.
    pub(crate) fn close(&self) {
        // Under the lock, or who is about to wait would miss it.
        let state = self.0.state();
        self.0.stop.store(true, Ordering::Relaxed);
        drop(state);
        self.0.changed.notify_all();
        self.keep();
        let session = self.0.state().session.clone();
        if let Some(model) = session.and_then(|session| session.model()) {
            model.keep();
        }
    }
}

/// What became of the roots.
pub(crate) struct Newer {
    /// To be asked for what is newer than this.
    pub(crate) version: u64,
    /// Goes up whenever the trees are read: if it has not, only more is known of their history.
    pub(crate) trees: u64,
    /// The roots, or why they cannot be used.
    pub(crate) session: Result<Arc<Session>, WorkspaceError>,
}

/// An answer and what it was made of.
pub(crate) struct Asked {
    pub(crate) answer: Answer,
    pub(crate) timing: Timing,
    /// As it was asked, with the history of the workspace.
    pub(crate) request: Request,
    pub(crate) session: Arc<Session>,
}

impl Shared {
    /// A thread that panicked has left nothing half done: the state is replaced in single steps.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(
        &self,
        state: MutexGuard<'_, State>,
        done: impl Fn(&State) -> bool,
    ) -> Result<Arc<Session>, WorkspaceError> {
        let state = self.changed.wait_while(state, |state| !done(state)).unwrap_or_else(PoisonError::into_inner);
        match (&state.session, &state.failure) {
            (_, Some(failure)) => Err(WorkspaceError::Roots(Arc::clone(failure))),
            (Some(session), None) => Ok(Arc::clone(session)),
            // The thread that read the roots has panicked; its message was printed.
            (None, None) => Err(AskError::Panicked("reading the roots failed".to_owned()).into()),
        }
    }

    /// Reads the roots in a thread of its own.
    fn start(self: &Arc<Self>, state: &mut State) {
        state.opening = true;
        state.failure = None;
        state.told.clear();
        state.begun += 1;
        let (shared, roots, given) = (Arc::clone(self), state.roots.clone().unwrap_or_default(), state.given);
        let (generation, number) = (state.generation, state.begun);
        thread::spawn(move || {
            // Whatever happens, nobody waits for ever.
            let ended = Ended { shared: &shared, generation, number };
            let start = Instant::now();
            let opened = if given { Ok(()) } else { session::check_narrow(&roots) };
            let flags = shared.flags.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let before = shared.state().session.clone();
            let result = opened.and_then(|()| Session::open(&roots, &flags, Duration::ZERO, before.as_deref()));
            let took = start.elapsed();
            let mut state = shared.state();
            if state.generation == generation {
                match result {
                    Ok(session) => {
                        // What was read on of the same commit need not be read again.
                        let known = state
                            .session
                            .as_ref()
                            .map(|before| session.with_pasts(&before.pasts()).with_symbols_of(before));
                        let mut session = shared.used().familiarised(known.as_ref().unwrap_or(&session));
                        for (root, changes) in std::mem::take(&mut state.told) {
                            let at = session.opened().iter().position(|opened| opened.root.canonical == root);
                            if let Some(at) = at {
                                session = session.with_changes(at, &changes);
                            }
                        }
                        state.session = Some(Arc::new(session));
                        state.version += 1;
                        state.trees += 1;
                        state.read = Some((Instant::now(), took));
                        state.unread = None;
                    }
                    // A root that is gone says so in every answer, and may come back.
                    Err(error) if state.session.is_some() => {
                        tracing::warn!(%error, "not read again");
                        state.unread = Some(Arc::new(error));
                    }
                    Err(error) => {
                        state.failure = Some(Arc::new(error));
                        state.version += 1;
                    }
                }
            }
            let session = state.session.clone();
            drop(state);
            drop(ended);
            shared.read_symbols(Trust::Stamps);
            if let Some(session) = session {
                let model = session.model();
                // Before the history, which takes longer: the first question may need it.
                if let Some(model) = &model {
                    model.load();
                }
                session.keep();
                shared.read_on(&session, generation);
                if let Some(model) = &model {
                    model.prepare(session.engine().roots(), &shared.stop);
                }
            }
        });
    }

    /// Reads the rest of git's history, and what is not committed. Several at once would read the same.
    fn read_on(&self, session: &Session, generation: u64) {
        if std::mem::replace(&mut self.state().reading_on, true) {
            return;
        }
        let pasts = session.read_on(&self.stop);
        let mut state = self.state();
        state.reading_on = false;
        if let Some(now) = state.session.as_ref().filter(|_| state.generation == generation) {
            let more = now.with_pasts(&pasts);
            state.session = Some(Arc::new(self.used().familiarised(&more)));
            state.version += 1;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads what files declare, in a thread of its own, unless one does already: that one then goes on.
    fn read_symbols(self: &Arc<Self>, trust: Trust) {
        if !self.reader.begin(trust) {
            return;
        }
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let watched = || shared.watched.load(Ordering::Relaxed);
            let current = || shared.state().session.clone();
            shared.reader.read(&shared.stop, &watched, &current, &|root, symbols| shared.take(root, symbols));
        });
    }

    /// Puts what is known of the files of a root (by its canonical path) into the session, if that has
    /// such a root.
    fn take(&self, root: &Path, symbols: &Symbols) -> bool {
        let mut state = self.state();
        let Some(session) = &state.session else { return false };
        if !session.opened().iter().any(|opened| opened.root.canonical == root) {
            return false;
        }
        let roots = session.opened().iter().zip(session.engine().roots());
        let known = roots.map(
            |(opened, known)| {
                if opened.root.canonical == root { symbols.clone() } else { known.symbols.clone() }
            },
        );
        state.session = Some(Arc::new(session.with_symbols(known.collect())));
        true
    }

    /// Tells the session what is familiar by now.
    fn familiarise(&self) {
        let mut state = self.state();
        if let Some(session) = &state.session {
            state.session = Some(Arc::new(self.used().familiarised(session)));
        }
    }
}

/// Marks an opening as ended when it is dropped, be it by a panic.
struct Ended<'a> {
    shared: &'a Shared,
    generation: u64,
    number: u64,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if state.generation == self.generation {
            state.opening = false;
        }
        state.ended = state.ended.max(self.number);
        drop(state);
        self.shared.changed.notify_all();
    }
}

/// The absolute path of an entry, as text.
pub(crate) fn absolute(root: &Path, path: &RelPath) -> String {
    let root = root.to_string_lossy();
    let root = root.trim_end_matches(['/', '\\']);
    if path.as_bytes().is_empty() { root.to_owned() } else { format!("{root}/{}", path.text()) }
}

#[cfg(all(test, unix))]
mod tests;
