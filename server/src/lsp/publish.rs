//! The publisher: says what is wrong, in open texts as soon as one stops typing, and in the files that are not open.
//!
//! One task, so that what is said of a document has an order. It never looks into a text itself, and never waits for a
//! client that does not answer.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::Instant;
use tower_lsp_server::ls_types::Uri;

use super::desk::Desk;
use super::documents::Look;
use super::encode;
use super::uri;
use super::work::{Why, Work};
use crate::check::Checker;

/// Files that are not open of which anything is said at most: a list of problems that is longer is read by nobody, and
/// clients hold all of it.
const FILES_MAX: usize = 2000;
/// A pause in typing after which fixes are looked for: that takes longer than to see what is wrong, and would slow down who
/// types on. Who asks for actions before gets them all the same.
const MEND_PAUSE: Duration = Duration::from_millis(400);
/// Changes in a row put off a look at most so many times the usual wait: who types without a break sees something too.
const WAITS: u32 = 5;

/// What is known of one document.
#[derive(Default)]
struct Told {
    /// When it is to be looked at.
    due: Option<Instant>,
    /// When the first change came that was not looked at yet.
    since: Option<Instant>,
    /// Whether somebody looks at it.
    looking: bool,
    /// Whether anything was said of it.
    is_known: bool,
    /// A look whose fixes are to be found, and when.
    unmended: Option<(Instant, Arc<Look>)>,
    /// Whether it was edited since it was looked at last.
    is_edited: bool,
    /// Who looked at it last.
    checker: Option<Arc<Checker>>,
}

impl Told {
    /// When there is something to do.
    fn next(&self) -> Option<Instant> {
        let look = self.due.filter(|_| !self.looking);
        look.into_iter().chain(self.unmended.as_ref().map(|(at, _)| *at)).min()
    }
}

/// Runs until the desk is gone.
pub(super) async fn publish(desk: Arc<Desk>, mut work: UnboundedReceiver<Work>, again: UnboundedSender<Work>) {
    let mut told: BTreeMap<String, (Uri, Told)> = BTreeMap::new();
    // Files that are not open and of which something was said.
    let mut files: BTreeSet<String> = BTreeSet::new();
    let refresh = Arc::new(Notify::new());
    let refreshing = tokio::spawn(refreshes(Arc::clone(&desk), Arc::clone(&refresh)));
    loop {
        let next = told.values().filter_map(|(_, told)| told.next()).min();
        let work = tokio::select! {
            work = work.recv() => work,
            () = until(next) => {
                for (uri, told) in told.values_mut() {
                    if let Some((_, look)) = told.unmended.take_if(|(at, _)| *at <= Instant::now()) {
                        mend(&desk, look, again.clone());
                    }
                    if !told.looking && told.due.is_some_and(|due| due <= Instant::now()) {
                        (told.due, told.since, told.looking) = (None, None, true);
                        look(&desk, uri.clone(), again.clone());
                    }
                }
                continue;
            }
        };
        match work {
            None => return refreshing.abort(),
            Some(Work::Touched { uri, why }) => {
                if desk.editor.can().pulls {
                    // It asks by itself when the text changes. What is around it only we know.
                    if why == Why::Around {
                        refresh.notify_one();
                    }
                    continue;
                }
                let now = Instant::now();
                let wait = if why == Why::Edited { desk.preferences().debounce } else { Duration::ZERO };
                let (_, told) = told.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, Told::default()));
                told.unmended = None;
                told.is_edited |= why == Why::Edited;
                let since = *told.since.get_or_insert(now);
                told.due = Some((now + wait).min(since + wait * WAITS));
            }
            Some(Work::Opened { uri }) => {
                // What was said of the file gives way to what is said of the text.
                if files.remove(uri.as_str()) && desk.editor.can().pulls {
                    desk.editor.publish(uri, Vec::new(), None).await;
                }
            }
            Some(Work::Mended(look)) => {
                // Of what was around the text before, while fixes were looked for, nothing is said any more.
                let is_last = |checker: &Arc<Checker>| Arc::ptr_eq(checker, &look.checker);
                if told.get(look.uri.as_str()).is_some_and(|(_, told)| told.checker.as_ref().is_some_and(is_last)) {
                    say(&desk, &look).await;
                }
            }
            Some(Work::Looked { uri, look }) => {
                let Some((_, told)) = told.get_mut(uri.as_str()) else { continue };
                told.looking = false;
                told.checker = look.as_ref().map(|look| Arc::clone(&look.checker));
                if let Some(look) = look {
                    told.is_known = true;
                    say(&desk, &look).await;
                    let pause = if std::mem::take(&mut told.is_edited) { MEND_PAUSE } else { Duration::ZERO };
                    told.unmended = Some((Instant::now() + pause, look));
                } else if std::mem::take(&mut told.is_known) {
                    desk.editor.publish(uri, Vec::new(), None).await;
                }
            }
            Some(Work::Closed { uri }) => {
                told.remove(uri.as_str());
                if !desk.editor.can().pulls {
                    desk.editor.publish(uri, Vec::new(), None).await;
                }
            }
            Some(Work::File { root, file }) => say_file(&desk, &mut files, &root, &file).await,
            Some(Work::Gone { root, path }) => {
                let Some(uri) = uri::of(&root.join(path)) else { continue };
                let below = format!("{}/", uri.as_str());
                let gone = |file: &String| file == uri.as_str() || file.starts_with(&below);
                let gone: Vec<String> = files.iter().filter(|file| gone(file)).cloned().collect();
                for file in gone {
                    files.remove(&file);
                    if let Ok(uri) = file.parse() {
                        desk.editor.publish(uri, Vec::new(), None).await;
                    }
                }
                desk.news.send_modify(|news| *news += 1);
            }
            Some(Work::Status(status)) => desk.editor.status(status).await,
            Some(Work::Yield) => {
                for uri in std::mem::take(&mut files) {
                    if let Ok(uri) = uri.parse() {
                        desk.editor.publish(uri, Vec::new(), None).await;
                    }
                }
            }
        }
    }
}

/// Asks the client to ask again: one question at a time, however much has changed.
async fn refreshes(desk: Arc<Desk>, wanted: Arc<Notify>) {
    loop {
        wanted.notified().await;
        desk.editor.refresh().await;
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Looks at a text beside. Fixes are another matter: what is wrong is said at once.
fn look(desk: &Arc<Desk>, uri: Uri, again: UnboundedSender<Work>) {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || {
        let look = catch_unwind(AssertUnwindSafe(|| desk.look(uri.as_str()))).unwrap_or_default();
        _ = again.send(Work::Looked { uri, look });
    });
}

/// Finds fixes beside, so that they are there when somebody asks for them.
fn mend(desk: &Arc<Desk>, look: Arc<Look>, again: UnboundedSender<Work>) {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || {
        // There is time now.
        let settled = desk.documents().settle(&look);
        if settled {
            desk.touch(&look.uri, Why::Opened);
            return;
        }
        if let Some(look) = catch_unwind(AssertUnwindSafe(|| desk.mend(&look))).unwrap_or_default() {
            _ = again.send(Work::Mended(look));
        }
    });
}

/// Says what is wrong in a text, unless it has changed since it was looked at.
async fn say(desk: &Desk, look: &Look) {
    if !desk.documents().is_current(look) {
        return;
    }
    let diagnostics = if desk.preferences().diagnostics {
        look.findings.iter().map(|finding| encode::diagnostic(look, finding, desk.editor.can())).collect()
    } else {
        Vec::new()
    };
    desk.editor.publish(look.uri.clone(), diagnostics, Some(look.version)).await;
}

/// Says what is wrong in a file that is not open; nothing where the client asks for itself.
async fn say_file(desk: &Desk, files: &mut BTreeSet<String>, root: &Path, file: &str) {
    desk.news.send_modify(|news| *news += 1);
    let path = root.join(file);
    let asks = desk.pulls_workspace.load(Ordering::Relaxed);
    if asks || desk.documents().uri_of(&path).is_some() {
        return;
    }
    let Some(uri) = uri::of(&path) else { return };
    let name = uri.as_str().to_owned();
    let preferences = desk.preferences();
    let surveys = desk.surveys();
    // Of a root that has gone nothing is said any more.
    let diagnostics = surveys.iter().find(|diagnostics| diagnostics.root() == root);
    let findings = diagnostics.map(|diagnostics| diagnostics.findings_of(file)).unwrap_or_default();
    if findings.is_empty() || !preferences.diagnostics || !preferences.workspace {
        if files.remove(&name) {
            desk.editor.publish(uri, Vec::new(), None).await;
        }
        return;
    }
    if !files.contains(&name) && files.len() >= FILES_MAX {
        return;
    }
    files.insert(name);
    let diagnostics =
        findings.iter().map(|finding| encode::diagnostic_on_disk(finding, root, desk.editor.can())).collect();
    desk.editor.publish(uri, diagnostics, None).await;
}
