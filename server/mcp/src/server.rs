//! `McpServer`: handles the requests of one MCP client. Blocking work runs in threads, at most [`MAX_CONCURRENT_CALLS`] at once.

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

use super::ServeOptions;
use super::backend::EngineBackend;
use super::elicitation::{self, ChoiceResponse};
use super::encode::ToolReply;
use super::metrics::Metrics;
use super::miss_tracker::MissTracker;
use super::remote::{self, RemoteCallOptions, RemoteClient};
use super::tools::{self, CallContext, INSTRUCTIONS};
use super::{client_roots, completion, prompts, resources};
use pathfinder_ipc::{ClientError, EngineClient};
use pathfinder_project::workspace::Workspace;

/// Calls that run at the same time. They wait for the disk or for the first walk of the roots; the rest wait for a permit.
pub(super) const MAX_CONCURRENT_CALLS: usize = 16;

/// Time for a leader without roots to close its connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// One conversation with an MCP client.
#[derive(Clone)]
pub(super) struct McpServer {
    backend: Arc<EngineBackend>,
    metrics: Metrics,
    /// True if the client cannot set the roots: the server was started with roots, or has other clients.
    has_fixed_roots: bool,
    /// True if the client's user may be asked to choose.
    can_ask_user: bool,
    /// True if withheld files are read by exact path. A client of the shared engine sends its own flag instead.
    allow_ignored: bool,
    /// True while the client's list of roots is pending.
    awaits_roots: Arc<watch::Sender<bool>>,
    permits: Arc<Semaphore>,
    misses: Arc<MissTracker>,
    /// The client of the shared engine, if this conversation is with one.
    remote_client: Option<Arc<RemoteClient>>,
}

impl McpServer {
    pub(super) fn new(backend: Arc<EngineBackend>, has_fixed_roots: bool, metrics: Metrics) -> Self {
        Self {
            backend,
            metrics,
            has_fixed_roots,
            can_ask_user: false,
            allow_ignored: false,
            awaits_roots: Arc::new(watch::Sender::new(false)),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_CALLS)),
            misses: Arc::default(),
            remote_client: None,
        }
    }

    /// Sets the user's options.
    pub(super) fn with_options(self, options: &ServeOptions) -> Self {
        Self { can_ask_user: options.ask, allow_ignored: options.allow_ignored, ..self }
    }

    /// Creates the server for a client of the shared engine, which handles everything but the engine itself.
    pub(super) fn for_remote_client(backend: Arc<EngineBackend>, remote_client: Arc<RemoteClient>) -> Self {
        Self { remote_client: Some(remote_client), ..Self::new(backend, true, Metrics::disabled()) }
    }

    /// Creates a server for another HTTP conversation. Stateless calls have one each, so all share the miss tracker.
    pub(super) fn new_conversation(&self) -> Self {
        Self { has_fixed_roots: true, awaits_roots: Arc::new(watch::Sender::new(false)), ..self.clone() }
    }

    /// Opens the roots that the client names, or else the default root. Open roots stay if the client does not answer.
    async fn open_client_roots(&self, context: NotificationContext<RoleServer>) {
        let (was_open, before) = (self.backend.is_open(), self.backend.roots());
        let roots = client_roots::request(&context.peer).await;
        if roots.is_some() || !self.backend.is_open() {
            self.backend.offer(roots.unwrap_or_default());
        }
        self.awaits_roots.send_replace(false);
        // The first roots are not a change.
        if was_open && self.backend.roots() != before {
            // A client that has not listed resources ignores this.
            _ = context.peer.notify_resource_list_changed().await;
        }
    }

    /// Waits for the client's roots if they are pending, and opens the default root if there are none.
    async fn wait_for_roots(&self) {
        if !self.backend.is_open() {
            let mut awaits_roots = self.awaits_roots.subscribe();
            // A client may offer roots and never send `initialized`; its calls are answered all the same.
            _ = tokio::time::timeout(
                2 * client_roots::ROOTS_TIMEOUT,
                awaits_roots.wait_for(|awaits_roots| !awaits_roots),
            )
            .await;
            if !self.backend.is_open() {
                self.backend.offer(Vec::new());
            }
        }
    }

    /// Runs blocking work in a thread, once a permit is free.
    async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        if self.remote_client.is_some() && !self.backend.is_open() {
            // The editor closed its folders. The leader closes its connections soon, and then the client answers by itself.
            tokio::time::sleep(CLOSE_TIMEOUT).await;
            return Err(ErrorData::internal_error("no roots are open any more", None));
        }
        self.wait_for_roots().await;
        // The semaphore is never closed.
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let this = self.clone();
        let task = tokio::task::spawn_blocking(move || {
            let result = work(&this);
            drop(permit);
            result
        });
        task.await.map_err(|error| {
            let message: Cow<'static, str> = format!("internal error, a defect of pathfinder: {error}").into();
            ErrorData::internal_error(message, None)
        })
    }

    /// Returns whether a call may read withheld files, by this server's flag or that of the client that forwards the call.
    fn allows_ignored(&self, meta: &RequestMetaObject) -> bool {
        if self.remote_client.is_some() { remote::allows_ignored(meta) } else { self.allow_ignored }
    }

    /// Calls a tool. `chosen` is the user's choice from an earlier call.
    async fn call(
        &self,
        tool: &'static tools::ToolDefinition,
        arguments: Arc<str>,
        chosen: Option<String>,
        allow_ignored: bool,
    ) -> Result<ToolReply, ErrorData> {
        self.run_blocking(move |this| {
            let chosen = chosen.as_deref();
            let directory = this.remote_client.as_ref().and_then(|remote_client| remote_client.directory());
            let local = |workspace: &Workspace| {
                let call = CallContext { workspace, misses: &this.misses, chosen, directory, allow_ignored };
                Ok(tool.call(&call, &arguments, &this.metrics))
            };
            let options = RemoteCallOptions { chosen, allow_ignored };
            let remote = |client: &EngineClient| {
                remote::call_tool(client, tool.name, &arguments, options, &this.metrics).map(Ok)
            };
            this.backend.ask(local, remote, |refusal| Err(remote::to_error_data(refusal)))
        })
        .await?
    }

    /// Answers another request of the protocol, locally or by the leader.
    ///
    /// The leader answers in the revision of the shared connection. The caller sets members that depend on its own client's revision.
    async fn answer_request<P, R>(
        &self,
        method: &'static str,
        params: P,
        local: fn(&Workspace, &P) -> Result<R, ErrorData>,
    ) -> Result<R, ErrorData>
    where
        P: Serialize + Send + 'static,
        R: DeserializeOwned + Send + 'static,
    {
        self.run_blocking(move |this| {
            let remote = |client: &EngineClient| remote::forward(client, method, &params).map(Ok);
            this.backend.ask(
                |workspace| local(workspace, &params),
                remote,
                |refusal| Err(remote::to_error_data(refusal)),
            )
        })
        .await?
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let this = Implementation::new("pathfinder", env!("CARGO_PKG_VERSION"));
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_completions();
        ServerConfig::new(capabilities.build()).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        // Only clients before 2026-07-28 offer roots here.
        let offers_roots = request.capabilities.roots.is_some();
        if !self.has_fixed_roots {
            if offers_roots {
                self.awaits_roots.send_replace(true);
            } else {
                self.backend.offer(Vec::new());
            }
        }
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if *self.awaits_roots.borrow() {
            self.open_client_roots(context).await;
        }
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if !self.has_fixed_roots {
            self.open_client_roots(context).await;
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::ALL.iter().map(tools::ToolDefinition::to_mcp).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(tools::ToolDefinition::to_mcp)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(remote_client) = self.remote_client.clone() {
            let (method, params) = (request.method.clone(), request.params.clone().unwrap_or_default());
            let local = move |this: &Self| {
                let answer = |workspace: &Workspace| remote_client.answer(workspace, &method, &params);
                this.backend.ask(
                    answer,
                    |_| Err(ClientError::Disconnected),
                    |refusal| Some(Err(remote::to_error_data(refusal))),
                )
            };
            if let Some(answer) = self.run_blocking(local).await? {
                return answer;
            }
        }
        // Requests of the protocol with parameters of the wrong type are dispatched here too.
        Err(if request.method == "tools/call" {
            let message = "params must be {\"name\": a tool's name, \"arguments\": an object}";
            ErrorData::invalid_params(message, None)
        } else {
            let asked: String = request.method.chars().take(100).collect();
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {asked:?}"), None)
        })
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The library removes subscriptions that are not among the capabilities.
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
        let got = self.answer_request("prompts/get", request, prompts::get).await?;
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
        let listed = self.answer_request("resources/list", json!({}), |workspace, _| {
            // Without a root the list is empty; a tool call reports the reason.
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
        let params = remote::read_params(request.uri, self.allows_ignored(&context.meta));
        let read: ReadResourceResult = self
            .answer_request("resources/read", params, |workspace, params| {
                resources::read(workspace, &params.uri, params.allows_ignored())
            })
            .await?;
        // The file may change at any time, and may be private.
        Ok(ReadResourceResult::new(read.contents).with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completed = self.answer_request("completion/complete", request, |workspace, request| {
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
        if let Some(chosen) = self.remote_client.as_ref().and_then(|_| remote::choice_from_meta(&context.meta)) {
            let mut reply = self.call(tool, arguments, chosen.into_path(), allow_ignored).await?;
            let choice = reply.choice.take();
            return Ok(remote::with_choice(to_call_result(reply), choice).into());
        }
        let given = elicitation::response_from(request.input_responses.as_ref());
        let can_ask_user = self.can_ask_user
            && given == ChoiceResponse::NotAsked
            && elicitation::can_elicit(context.client_capabilities().as_ref());
        let mut reply = self.call(tool, Arc::clone(&arguments), given.into_path(), allow_ignored).await?;
        if let Some(choice) = reply.choice.take().filter(|_| can_ask_user) {
            if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
                return Ok(InputRequiredResult::from_input_requests(choice.into_requests()).into());
            }
            if let Some(path) = choice.ask(&context.peer).await {
                reply = self.call(tool, arguments, Some(path), allow_ignored).await?;
            }
        }
        Ok(to_call_result(reply).into())
    }
}

fn to_call_result(reply: ToolReply) -> CallToolResult {
    if reply.is_error { CallToolResult::structured_error(reply.value) } else { CallToolResult::structured(reply.value) }
}
