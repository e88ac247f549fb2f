//! `Engine`: who answers the calls of a server's clients: the process that has the engine of these roots in memory, or this one, which
//! then has the others as its guests. It changes when the other one ends, or an editor comes; clients notice nothing.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use crate::settings::Overrides;
use crate::share::{self, Edge, Host, Peer, PeerError, Place, Serve, ShareError};
use crate::snapshot;
use crate::workspace::{ChangeSource, Workspace};

/// How often it is looked whether an editor has taken the socket, or it has become free: a look at one file.
pub(super) const ATTEND: Duration = Duration::from_secs(2);
/// After this long somebody is asked again who could not be joined: it may have been of another version, or stopped.
const AGAIN: Duration = Duration::from_secs(30);
/// How often it is looked who answers: two processes that begin at once may both see nobody, and then each other, and one that is
/// just ending can still be connected to.
const TRIES: usize = 5;
/// Between two looks at somebody who hangs up. A process that was killed is gone by then.
const PAUSE: Duration = Duration::from_millis(20);

/// See the module's text.
pub(super) struct Engine {
    own: Arc<Workspace>,
    flags: Overrides,
    /// Serves guests where this process has the engine; `None` where it always has it and somebody else does that.
    host: Option<Host>,
    state: Mutex<State>,
    /// Held by calls that are worked on in this process: until they are done it does not let go of its trees.
    busy: RwLock<()>,
    this: Weak<Self>,
}

#[derive(Default)]
struct State {
    roots: Option<Roots>,
    at: At,
    /// When somebody who could not be joined is asked again.
    again: Option<Instant>,
    /// Why nobody was joined, so that it is logged once.
    said: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Roots {
    named: Vec<PathBuf>,
    /// Whether the user gave them, and so may mean the whole disk.
    given: bool,
}

/// Who answers.
#[derive(Clone, Default)]
enum At {
    /// Nobody has been asked yet.
    #[default]
    Nowhere,
    /// This process.
    Own,
    /// Another one.
    Peer(Arc<Peer>),
}

impl Engine {
    /// For a process that has to look who answers. Guests are served by tasks of the runtime that this is called in.
    pub(super) fn new(flags: Overrides, serve: impl FnOnce(&Arc<Workspace>) -> Serve) -> Arc<Self> {
        let own = Arc::new(Workspace::new(flags.clone()));
        own.watch(ChangeSource::System);
        let host = Host::new(Handle::current(), Edge::Agent, serve(&own));
        Arc::new_cyclic(|this| Self {
            own,
            flags,
            host: Some(host),
            state: Mutex::default(),
            busy: RwLock::default(),
            this: Weak::clone(this),
        })
    }

    /// For a process whose own engine answers in any case.
    pub(super) fn own(workspace: Arc<Workspace>) -> Arc<Self> {
        let state = State { at: At::Own, ..State::default() };
        Arc::new_cyclic(|this| Self {
            own: workspace,
            flags: Overrides::default(),
            host: None,
            state: Mutex::new(state),
            busy: RwLock::default(),
            this: Weak::clone(this),
        })
    }

    /// From now on the roots that the user gave are asked about.
    pub(super) fn open(&self, roots: Vec<PathBuf>) {
        self.begin(Roots { named: roots, given: true });
    }

    /// The same for roots that a client names, or none for the default one.
    pub(super) fn offer(&self, roots: Vec<PathBuf>) {
        self.begin(Roots { named: roots, given: false });
    }

    fn begin(&self, roots: Roots) {
        let mut state = self.state();
        if state.roots.as_ref() == Some(&roots) {
            return;
        }
        *state = State { roots: Some(roots), ..State::default() };
        drop(state);
        // Nobody waits for it yet; a host that hangs must not stop who reads the next message.
        if let Some(this) = self.this.upgrade() {
            thread::spawn(move || drop(this.at()));
        }
    }

    /// Whether any roots were opened.
    pub(super) fn is_open(&self) -> bool {
        self.state().roots.is_some() || self.own.is_open()
    }

    /// The roots as they were named.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.state().roots.as_ref().map(|roots| roots.named.clone()).unwrap_or_default()
    }

    /// Has a question answered: by `own` in this process, or by `peer` in another one, and again by somebody else if that one is gone.
    pub(super) fn ask<T>(
        &self,
        own: impl Fn(&Workspace) -> T,
        peer: impl Fn(&Peer) -> Result<T, PeerError>,
        refused: impl Fn(share::Refusal) -> T,
    ) -> T {
        loop {
            let state = self.at();
            match &state.at {
                At::Peer(host) => {
                    let host = Arc::clone(host);
                    drop(state);
                    match peer(&host) {
                        Ok(answer) => return answer,
                        Err(PeerError::Refused(refusal)) => return refused(refusal),
                        Err(PeerError::Gone) => self.left(&host),
                        Err(PeerError::Hung) => self.abandon(&host),
                    }
                }
                At::Own | At::Nowhere => {
                    let busy = self.busy.read().unwrap_or_else(PoisonError::into_inner);
                    drop(state);
                    let answer = own(&self.own);
                    drop(busy);
                    return answer;
                }
            }
        }
    }

    /// Looks whether somebody else should answer by now. To be called every [`ATTEND`].
    pub(super) fn attend(&self) {
        let Some(host) = &self.host else { return };
        let state = self.state();
        let is_own = matches!(state.at, At::Own) && state.again.is_none_or(|again| again < Instant::now());
        let Some(roots) = state.roots.clone().filter(|_| is_own && !host.is_current()) else { return };
        drop(state);
        // Whoever asks meanwhile is answered here.
        let met = self.meet(&roots);
        let mut state = self.state();
        if matches!(state.at, At::Own) && state.roots.as_ref() == Some(&roots) {
            match met {
                Ok(peer) => {
                    // No call is begun here while this waits for the last one.
                    let busy = self.busy.write().unwrap_or_else(PoisonError::into_inner);
                    host.stop();
                    self.own.close_roots();
                    state.at = At::Peer(peer);
                    drop(busy);
                    state.said.clear();
                }
                Err(ShareError::Nobody) => _ = self.claim(&roots),
                Err(ShareError::Ending { .. }) => {}
                Err(why) => say(&mut state, &why),
            }
        }
    }

    /// Writes down what was used.
    pub(super) fn keep(&self) {
        self.own.save_usage();
    }

    /// Ends what runs in the background.
    pub(super) fn close(&self) {
        if let Some(host) = &self.host {
            host.stop();
        }
        self.own.close();
    }

    /// Who answers, found out if it is not known.
    fn at(&self) -> MutexGuard<'_, State> {
        let mut state = self.state();
        if let (At::Nowhere, Some(roots)) = (&state.at, state.roots.clone()) {
            self.settle(&mut state, &roots);
        }
        state
    }

    fn settle(&self, state: &mut State, roots: &Roots) {
        for _ in 0..TRIES {
            match self.meet(roots) {
                Ok(peer) => {
                    tracing::info!(pid = peer.about().pid, "asks the engine of another process");
                    self.own.close_roots();
                    state.at = At::Peer(peer);
                    return;
                }
                // Somebody was faster.
                Err(ShareError::Nobody) if !self.claim(roots) => {}
                Err(ShareError::Nobody) => break,
                Err(ShareError::Ending { .. }) => thread::sleep(PAUSE),
                Err(why) => {
                    say(state, &why);
                    break;
                }
            }
        }
        self.read(roots);
        state.at = At::Own;
    }

    /// Becomes who has the engine of these roots. False if somebody else just has.
    fn claim(&self, roots: &Roots) -> bool {
        let Some(host) = &self.host else { return true };
        let Ok(place) = Place::of(&roots.named, &self.flags) else { return true };
        // Guests wait until it answers; before that it has to know its roots.
        host.claim(&place, || self.read(roots))
    }

    /// Begins to read the roots, if that has not begun.
    fn read(&self, roots: &Roots) {
        let named = roots.named.clone();
        if roots.given { self.own.open(named) } else { self.own.open_from_client(named) }
    }

    fn meet(&self, roots: &Roots) -> Result<Arc<Peer>, ShareError> {
        if self.host.is_none() {
            return Err(ShareError::Nobody);
        }
        if !roots.given {
            snapshot::check_narrow(&roots.named)?;
        }
        let place = Place::of(&roots.named, &self.flags)?;
        let this = Weak::clone(&self.this);
        // All guests of a host that is gone learn of it at once; the first of them is the next host.
        share::join(&place, move || _ = this.upgrade().map(|this| this.look_again()))
    }

    /// A host is gone: if it was the one that answered, finds out who does now.
    fn look_again(&self) {
        let mut state = self.state();
        if let At::Peer(peer) = &state.at
            && peer.is_gone()
        {
            state.at = At::Nowhere;
            drop(state);
            drop(self.at());
        }
    }

    /// This host is there and does not answer. It may greet the next guest all the same, so that it is not asked again at once.
    fn abandon(&self, hung: &Arc<Peer>) {
        let mut state = self.state();
        if matches!(&state.at, At::Peer(peer) if Arc::ptr_eq(peer, hung)) {
            tracing::warn!(
                pid = hung.about().pid,
                "the process that has the engine does not answer: it is not asked any more"
            );
            state.again = Some(Instant::now() + AGAIN);
            if let Some(roots) = &state.roots {
                self.read(roots);
            }
            state.at = At::Own;
        }
        drop(state);
        hung.leave();
    }

    /// This host is gone.
    fn left(&self, gone: &Arc<Peer>) {
        let mut state = self.state();
        if matches!(&state.at, At::Peer(peer) if Arc::ptr_eq(peer, gone)) {
            state.at = At::Nowhere;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says why nobody was joined, and does not try again for a while.
fn say(state: &mut State, why: &ShareError) {
    state.again = Some(Instant::now() + AGAIN);
    // What the user wants is no news.
    let is_wanted = matches!(why, ShareError::Off);
    let why = why.to_string();
    if state.said != why && !is_wanted {
        tracing::warn!("{why}");
        state.said = why;
    }
}
