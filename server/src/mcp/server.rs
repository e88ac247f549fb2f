//! `Server`: the protocol's requests → tools.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode, Implementation,
    InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::{Semaphore, watch};

use super::client_roots;
use super::metrics::Metrics;
use super::tools::{self, INSTRUCTIONS};
use crate::workspace::Workspace;

/// Calls that are worked on at the same time. They wait for the disk or for the first reading of the roots; a client
/// that sends a thousand at once is served in this many rows.
pub(super) const CALLS: usize = 16;

/// One conversation.
#[derive(Clone)]
pub(super) struct Server {
    workspace: Arc<Workspace>,
    metrics: Metrics,
    /// Whether the roots were given when it was started: then the client has no say in them.
    fixed: bool,
    /// Whether the client is about to name its roots.
    expecting: Arc<watch::Sender<bool>>,
    calls: Arc<Semaphore>,
}

impl Server {
    pub(super) fn new(workspace: Arc<Workspace>, fixed: bool, metrics: Metrics) -> Self {
        let expecting = Arc::new(watch::Sender::new(false));
        Self { workspace, metrics, fixed, expecting, calls: Arc::new(Semaphore::new(CALLS)) }
    }

    /// Opens the roots that the client names, or else the default one. One that has roots keeps them if the client does
    /// not say which are the new ones.
    async fn open_client_roots(&self, context: NotificationContext<RoleServer>) {
        let roots = client_roots::ask(&context.peer).await;
        if roots.is_some() || !self.workspace.is_open() {
            self.workspace.offer(roots.unwrap_or_default());
        }
        self.expecting.send_replace(false);
    }

    /// Waits for the client's roots, if it is about to name any; opens the default root if there are none.
    async fn ready(&self) {
        if !self.workspace.is_open() {
            let mut expecting = self.expecting.subscribe();
            // A client that offers roots and never asks to be asked for them is answered all the same.
            _ = tokio::time::timeout(2 * client_roots::PATIENCE, expecting.wait_for(|expecting| !expecting)).await;
            if !self.workspace.is_open() {
                self.workspace.offer(Vec::new());
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
                self.workspace.offer(Vec::new());
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
        // The protocol's own requests come here as well, if their parameters are of the wrong type.
        Err(if request.method == "tools/call" {
            let message = "params must be {\"name\": a tool's name, \"arguments\": an object}";
            ErrorData::invalid_params(message, None)
        } else {
            let asked: String = request.method.chars().take(100).collect();
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {asked:?}"), None)
        })
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
        // Never closed.
        let turn = Arc::clone(&self.calls).acquire_owned().await;
        let (workspace, metrics) = (Arc::clone(&self.workspace), self.metrics.clone());
        let called = tokio::task::spawn_blocking(move || {
            let reply = tool.call(&workspace, &arguments, &metrics);
            drop(turn);
            reply
        });
        let reply = called.await.map_err(|error| {
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
