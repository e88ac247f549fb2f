//! `Server`: the protocol's requests → tools.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, InitializeRequestParams, InitializeResult,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::watch;

use super::client_roots;
use super::metrics::Metrics;
use super::tools::{self, INSTRUCTIONS};
use crate::workspace::Workspace;

/// One conversation.
#[derive(Clone)]
pub(super) struct Server {
    workspace: Arc<Workspace>,
    metrics: Metrics,
    /// Whether the roots were given when it was started: then the client has no say in them.
    fixed: bool,
    /// Whether the client is about to name its roots.
    expecting: Arc<watch::Sender<bool>>,
}

impl Server {
    pub(super) fn new(workspace: Arc<Workspace>, fixed: bool, metrics: Metrics) -> Self {
        Self { workspace, metrics, fixed, expecting: Arc::new(watch::Sender::new(false)) }
    }

    /// Opens the roots that the client names, or else the default one.
    async fn open_client_roots(&self, context: NotificationContext<RoleServer>) {
        let roots = client_roots::ask(&context.peer).await;
        self.workspace.open(roots);
        self.expecting.send_replace(false);
    }

    /// Waits for the client's roots, if it is about to name any; opens the default root if there are none.
    async fn ready(&self) {
        if !self.workspace.is_open() {
            // The sender lives as long as this value, so that there is always an end of it.
            _ = self.expecting.subscribe().wait_for(|expecting| !expecting).await;
            if !self.workspace.is_open() {
                self.workspace.open(Vec::new());
            }
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let this = Implementation::new("pathfinder", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(this)
            .with_instructions(INSTRUCTIONS)
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
                self.workspace.open(Vec::new());
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

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            let names: Vec<&str> = tools::ALL.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool of this name; there are: {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        self.ready().await;
        let arguments = serde_json::to_string(&request.arguments.unwrap_or_default());
        let arguments = arguments.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let (workspace, metrics) = (Arc::clone(&self.workspace), self.metrics.clone());
        let called = tokio::task::spawn_blocking(move || tool.call(&workspace, &arguments, &metrics)).await;
        let reply = called.map_err(|error| {
            let message: Cow<'static, str> = format!("internal error, a defect of pathfinder: {error}").into();
            ErrorData::internal_error(message, None)
        })?;
        let result = if reply.is_error {
            CallToolResult::structured_error(reply.value)
        } else {
            CallToolResult::structured(reply.value)
        };
        Ok(result.into())
    }
}
