//! `Server`: the protocol's requests → tools.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    InitializeRequestParams, InitializeResult, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, RequestMetaObject, ServerCapabilities, ServerConfig, SubscriptionFilter,
    Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::{Semaphore, watch};

use super::Terms;
use super::brake::Brake;
use super::choice;
use super::encode::Reply;
use super::engine::Engine;
use super::guests::{self, GuestTerms, Welcome};
use super::metrics::Metrics;
use super::tools::{self, Call, INSTRUCTIONS};
use super::{client_roots, completion, prompts, resources};
use crate::share::{Peer, PeerError};
use crate::workspace::Workspace;

/// Calls that are worked on at the same time. They wait for the disk or for the first reading of the roots; a client
/// that sends a thousand at once is served in this many rows.
pub(super) const CALLS: usize = 16;

/// Within this time a host that has no roots any more has hung up.
const HANGING_UP: Duration = Duration::from_secs(5);

/// One conversation.
#[derive(Clone)]
pub(super) struct Server {
    engine: Arc<Engine>,
    metrics: Metrics,
    /// Whether the client has no say in the roots: they were given when the server was started, or it has other clients.
    fixed: bool,
    /// Whether the user may be asked.
    asks: bool,
    /// Whether withheld files are read, where the client names their exact path. A client that is one of ours says so itself.
    allow_ignored: bool,
    /// Whether the client is about to name its roots.
    expecting: Arc<watch::Sender<bool>>,
    calls: Arc<Semaphore>,
    brake: Arc<Brake>,
    /// The other process that talks, if the client is one of ours.
    guest: Option<Arc<Welcome>>,
}

impl Server {
    pub(super) fn new(engine: Arc<Engine>, fixed: bool, metrics: Metrics) -> Self {
        Self {
            engine,
            metrics,
            fixed,
            asks: false,
            allow_ignored: false,
            expecting: Arc::new(watch::Sender::new(false)),
            calls: Arc::new(Semaphore::new(CALLS)),
            brake: Arc::default(),
            guest: None,
        }
    }

    /// The same with what the user allows.
    pub(super) fn with_terms(self, terms: &Terms) -> Self {
        Self { asks: terms.ask, allow_ignored: terms.allow_ignored, ..self }
    }

    /// For a process that asks this one's engine, and does all else itself.
    pub(super) fn for_guest(engine: Arc<Engine>, guest: Arc<Welcome>) -> Self {
        Self { guest: Some(guest), ..Self::new(engine, true, Metrics::none()) }
    }

    /// Another conversation, beside this one. Calls without a conversation have one each, so that all share a brake.
    pub(super) fn another(&self) -> Self {
        Self { fixed: true, expecting: Arc::new(watch::Sender::new(false)), ..self.clone() }
    }

    /// Opens the roots that the client names, or else the default one. One that has roots keeps them if the client does
    /// not say which are the new ones.
    async fn open_client_roots(&self, context: NotificationContext<RoleServer>) {
        let (was_open, before) = (self.engine.is_open(), self.engine.roots());
        let roots = client_roots::ask(&context.peer).await;
        if roots.is_some() || !self.engine.is_open() {
            self.engine.offer(roots.unwrap_or_default());
        }
        self.expecting.send_replace(false);
        // The first roots are no others.
        if was_open && self.engine.roots() != before {
            // Who has not listed any resources does not mind.
            _ = context.peer.notify_resource_list_changed().await;
        }
    }

    /// Waits for the client's roots, if it is about to name any; opens the default root if there are none.
    async fn ready(&self) {
        if !self.engine.is_open() {
            let mut expecting = self.expecting.subscribe();
            // A client that offers roots and never asks to be asked for them is answered all the same.
            _ = tokio::time::timeout(2 * client_roots::PATIENCE, expecting.wait_for(|expecting| !expecting)).await;
            if !self.engine.is_open() {
                self.engine.offer(Vec::new());
            }
        }
    }

    /// Does what waits for the disk in a thread for that, in its turn.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> Result<T, ErrorData> {
        if self.guest.is_some() && !self.engine.is_open() {
            // The editor has closed its folders: who serves guests hangs up at any moment, and this one goes on by itself.
            tokio::time::sleep(HANGING_UP).await;
            return Err(ErrorData::internal_error("no roots are open any more", None));
        }
        self.ready().await;
        // Never closed.
        let turn = Arc::clone(&self.calls).acquire_owned().await;
        let this = self.clone();
        let worked = tokio::task::spawn_blocking(move || {
            let result = work(&this);
            drop(turn);
            result
        });
        worked.await.map_err(|error| {
            let message: Cow<'static, str> = format!("internal error, a defect of pathfinder: {error}").into();
            ErrorData::internal_error(message, None)
        })
    }

    /// Whether a call may read withheld files: as this server was started, or the guest's that passes the call on.
    fn allows_ignored(&self, meta: &RequestMetaObject) -> bool {
        if self.guest.is_some() { guests::allows_ignored(meta) } else { self.allow_ignored }
    }

    /// Calls a tool, whose earlier call may have had the user choose.
    async fn call(
        &self,
        tool: &'static tools::Tool,
        arguments: Arc<str>,
        chosen: Option<String>,
        allow_ignored: bool,
    ) -> Result<Reply, ErrorData> {
        self.work(move |this| {
            let chosen = chosen.as_deref();
            let directory = this.guest.as_ref().and_then(|guest| guest.directory());
            let own = |workspace: &Workspace| {
                let call = Call { workspace, brake: &this.brake, chosen, directory, allow_ignored };
                Ok(tool.call(&call, &arguments, &this.metrics))
            };
            let terms = GuestTerms { chosen, allow_ignored };
            let theirs = |peer: &Peer| guests::call(peer, tool.name, &arguments, terms, &this.metrics).map(Ok);
            this.engine.ask(own, theirs, |refusal| Err(guests::refused(refusal)))
        })
        .await?
    }

    /// Has one of the protocol's other requests answered. What another process answers is for a client of the revision that it is asked
    /// in: members that depend on that are put in anew by who calls this.
    async fn answer<P, R>(
        &self,
        method: &'static str,
        params: P,
        own: fn(&Workspace, &P) -> Result<R, ErrorData>,
    ) -> Result<R, ErrorData>
    where
        P: Serialize + Send + 'static,
        R: DeserializeOwned + Send + 'static,
    {
        self.work(move |this| {
            let theirs = |peer: &Peer| guests::forward(peer, method, &params).map(Ok);
            this.engine.ask(|workspace| own(workspace, &params), theirs, |refusal| Err(guests::refused(refusal)))
        })
        .await?
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let this = Implementation::new("pathfinder", env!("CARGO_PKG_VERSION"));
        let abilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_completions();
        ServerConfig::new(abilities.build()).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        // Only clients before 2026-07-28 do.
        let offers_roots = request.capabilities.roots.is_some();
        if !self.fixed {
            if offers_roots {
                self.expecting.send_replace(true);
            } else {
                self.engine.offer(Vec::new());
            }
        }
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if *self.expecting.borrow() {
            self.open_client_roots(context).await;
        }
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if !self.fixed {
            self.open_client_roots(context).await;
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::ALL.iter().map(tools::Tool::described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(tools::Tool::described)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(guest) = self.guest.clone() {
            let (method, params) = (request.method.clone(), request.params.clone().unwrap_or_default());
            let own = move |this: &Self| {
                let answer = |workspace: &Workspace| guest.answer(workspace, &method, &params);
                this.engine.ask(answer, |_| Err(PeerError::Gone), |refusal| Some(Err(guests::refused(refusal))))
            };
            if let Some(answer) = self.work(own).await? {
                return answer;
            }
        }
        // The protocol's own requests come here as well, if their parameters are of the wrong type.
        Err(if request.method == "tools/call" {
            let message = "params must be {\"name\": a tool's name, \"arguments\": an object}";
            ErrorData::invalid_params(message, None)
        } else {
            let asked: String = request.method.chars().take(100).collect();
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {asked:?}"), None)
        })
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // What is not among the capabilities is taken off.
        Some(requested.clone())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let got = self.answer("prompts/get", request, prompts::get).await?;
        let prompt = GetPromptResult::new(got.messages);
        Ok(match got.description {
            Some(description) => prompt.with_description(description),
            None => prompt,
        }
        .into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = self.answer("resources/list", json!({}), |workspace, _| {
            // Without a root there is nothing to list; a tool says why.
            let listed = workspace.snapshot().map(|snapshot| resources::list(&snapshot));
            Ok(ListResourcesResult::with_all_items(listed.unwrap_or_default()))
        });
        Ok(ListResourcesResult::with_all_items(listed.await?.resources))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let params = guests::read_params(request.uri, self.allows_ignored(&context.meta));
        let read: ReadResourceResult = self
            .answer("resources/read", params, |workspace, params| {
                resources::read(workspace, &params.uri, params.allows_ignored())
            })
            .await?;
        // A file may be another one the next moment, and is nobody else's business.
        Ok(ReadResourceResult::new(read.contents).with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completed = self.answer("completion/complete", request, |workspace, request| {
            completion::complete(workspace, request).map(CompleteResult::new)
        });
        Ok(CompleteResult::new(completed.await?.completion))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            let names: Vec<&str> = tools::ALL.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool of this name; there are: {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = serde_json::to_string(&request.arguments.unwrap_or_default());
        let arguments: Arc<str> = arguments.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?.into();
        let allow_ignored = self.allows_ignored(&context.meta);
        if let Some(chosen) = self.guest.as_ref().and_then(|_| guests::chosen(&context.meta)) {
            let mut reply = self.call(tool, arguments, chosen.path(), allow_ignored).await?;
            let choice = reply.choice.take();
            return Ok(guests::with_choice(encoded(reply), choice).into());
        }
        let given = choice::given(request.input_responses.as_ref());
        let asks = self.asks && given == choice::Reply::None && choice::can_ask(context.client_capabilities().as_ref());
        let mut reply = self.call(tool, Arc::clone(&arguments), given.path(), allow_ignored).await?;
        if let Some(choice) = reply.choice.take().filter(|_| asks) {
            if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
                return Ok(InputRequiredResult::from_input_requests(choice.requests()).into());
            }
            if let Some(path) = choice.ask(&context.peer).await {
                reply = self.call(tool, arguments, Some(path), allow_ignored).await?;
            }
        }
        Ok(encoded(reply).into())
    }
}

fn encoded(reply: Reply) -> CallToolResult {
    if reply.is_error { CallToolResult::structured_error(reply.value) } else { CallToolResult::structured(reply.value) }
}
