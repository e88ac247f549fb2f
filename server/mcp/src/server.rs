//! `McpServer`: handles the requests of one MCP client. Blocking work runs in threads, at most [`MAX_CONCURRENT_CALLS`] at once.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
    InitializeRequestParams, InitializeResult, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::{Semaphore, watch};

use super::ServeOptions;
use super::elicitation::{self, ChoiceResponse};
use super::encode::ToolReply;
use super::metrics::Metrics;
use super::miss_tracker::MissTracker;
use super::tools::{self, CallContext, INSTRUCTIONS};
use super::{client_roots, completion, prompts, resources};
use pathfinder_ipc::{Backend, BackendError, Router};

/// Calls that run at the same time. They wait for the disk or for the first walk of the roots; the rest wait for a permit.
pub(super) const MAX_CONCURRENT_CALLS: usize = 16;

/// One conversation with an MCP client.
#[derive(Clone)]
pub(super) struct McpServer {
    router: Arc<Router>,
    metrics: Metrics,
    /// True if the client cannot set the roots: the server was started with roots, or has other clients.
    has_fixed_roots: bool,
    /// True if the client's user may be asked to choose.
    can_ask_user: bool,
    /// True if withheld files are read by exact path.
    allow_ignored: bool,
    /// True while the client's list of roots is pending.
    awaits_roots: Arc<watch::Sender<bool>>,
    permits: Arc<Semaphore>,
    misses: Arc<MissTracker>,
}

impl McpServer {
    pub(super) fn new(router: Arc<Router>, has_fixed_roots: bool, metrics: Metrics) -> Self {
        Self {
            router,
            metrics,
            has_fixed_roots,
            can_ask_user: false,
            allow_ignored: false,
            awaits_roots: Arc::new(watch::Sender::new(false)),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_CALLS)),
            misses: Arc::default(),
        }
    }

    /// Sets the user's options.
    pub(super) fn with_options(self, options: &ServeOptions) -> Self {
        Self { can_ask_user: options.ask, allow_ignored: options.allow_ignored, ..self }
    }

    /// Creates a server for another HTTP conversation. Stateless calls have one each, so all share the miss tracker.
    pub(super) fn new_conversation(&self) -> Self {
        Self { has_fixed_roots: true, awaits_roots: Arc::new(watch::Sender::new(false)), ..self.clone() }
    }

    /// Opens the roots that the client names, or else the default root. Open roots stay if the client does not answer.
    async fn open_client_roots(&self, context: NotificationContext<RoleServer>) {
        let (was_open, before) = (self.router.is_open(), self.router.roots());
        let roots = client_roots::request(&context.peer).await;
        if roots.is_some() || !self.router.is_open() {
            self.router.offer(roots.unwrap_or_default());
        }
        self.awaits_roots.send_replace(false);
        // The first roots are not a change.
        if was_open && self.router.roots() != before {
            // A client that has not listed resources ignores this.
            _ = context.peer.notify_resource_list_changed().await;
        }
    }

    /// Waits for the client's roots if they are pending, and opens the default root if there are none.
    async fn wait_for_roots(&self) {
        if !self.router.is_open() {
            let mut awaits_roots = self.awaits_roots.subscribe();
            // A client may offer roots and never send `initialized`; its calls are answered all the same.
            _ = tokio::time::timeout(
                2 * client_roots::ROOTS_TIMEOUT,
                awaits_roots.wait_for(|awaits_roots| !awaits_roots),
            )
            .await;
            if !self.router.is_open() {
                self.router.offer(Vec::new());
            }
        }
    }

    /// Runs blocking work in a thread, once a permit is free.
    async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
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

    /// Asks a question. The error has the engine's message.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl Fn(&Self, Backend<'_>) -> Result<T, BackendError> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let answer = self.run_blocking(move |this| this.router.ask(|backend| question(this, backend))).await?;
        answer.map_err(|error| ErrorData::internal_error(error.message, None))
    }

    /// Calls a tool. `chosen` is the user's choice from an earlier call.
    async fn call(
        &self,
        tool: &'static tools::ToolDefinition,
        arguments: Arc<str>,
        chosen: Option<String>,
    ) -> Result<ToolReply, ErrorData> {
        self.ask(move |this, backend| {
            let (misses, chosen) = (&*this.misses, chosen.as_deref());
            let call = CallContext { backend, misses, chosen, allow_ignored: this.allow_ignored };
            tool.call(&call, &arguments, &this.metrics)
        })
        .await
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
                self.router.offer(Vec::new());
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
        Ok(self.ask(move |_, backend| prompts::get(backend, &request)).await??.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = self.ask(|_, backend| match backend.roots() {
            // Without a root the list is empty; a tool call reports the reason.
            Err(BackendError::Engine(_)) => Ok(Vec::new()),
            roots => Ok(resources::list(&roots?)),
        });
        Ok(ListResourcesResult::with_all_items(listed.await?))
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
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.ask(move |this, backend| resources::read(backend, &request.uri, this.allow_ignored)).await??;
        // The file may change at any time, and may be private.
        Ok(read.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completed = self.ask(move |_, backend| completion::complete(backend, &request));
        Ok(CompleteResult::new(completed.await?))
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
        let given = elicitation::response_from(request.input_responses.as_ref());
        let can_ask_user = self.can_ask_user
            && given == ChoiceResponse::NotAsked
            && elicitation::can_elicit(context.client_capabilities().as_ref());
        let mut reply = self.call(tool, Arc::clone(&arguments), given.into_path()).await?;
        if let Some(choice) = reply.choice.take().filter(|_| can_ask_user) {
            if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
                return Ok(InputRequiredResult::from_input_requests(choice.into_requests()).into());
            }
            if let Some(path) = choice.ask(&context.peer).await {
                reply = self.call(tool, arguments, Some(path)).await?;
            }
        }
        Ok(to_call_result(reply).into())
    }
}

fn to_call_result(reply: ToolReply) -> CallToolResult {
    if reply.is_error { CallToolResult::structured_error(reply.value) } else { CallToolResult::structured(reply.value) }
}
