//! Pathfinder in Zed: one program as a language server and as a context server, found or downloaded, with the user's settings.

mod binary;
mod configuration;
mod release;

use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::{ContextServerSettings, LspSettings};
use zed_extension_api::{
    Command, ContextServerConfiguration, ContextServerId, Extension, LanguageServerId, Project, Result, Worktree,
    register_extension,
};

use binary::Binary;
use configuration::Wanted;

struct Pathfinder {
    binary: Binary,
}

impl Extension for Pathfinder {
    fn new() -> Self {
        Self { binary: Binary::default() }
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let wanted = Wanted::of_language_server(LspSettings::for_worktree(id.as_ref(), worktree)?);
        let program = self.binary.for_worktree(wanted.path.as_deref(), id, worktree)?;
        // The server's own settings may be in the environment of the project (direnv).
        let mut command = wanted.command(program, "lsp");
        let mut env = worktree.shell_env();
        env.retain(|(name, _)| command.env.iter().all(|(set, _)| set != name));
        env.append(&mut command.env);
        Ok(Command { env, ..command })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(Some(configuration::of_server(LspSettings::for_worktree(id.as_ref(), worktree)?)))
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = configuration::of_server(LspSettings::for_worktree(id.as_ref(), worktree)?);
        // Zed looks up the section that the server asks for.
        Ok(Some(json!({"pathfinder": settings})))
    }

    fn context_server_command(&mut self, id: &ContextServerId, project: &Project) -> Result<Command> {
        let wanted = Wanted::of_context_server(ContextServerSettings::for_project(id.as_ref(), project)?)?;
        let program = self.binary.for_project(wanted.path.as_deref())?;
        Ok(wanted.command(program, "mcp"))
    }

    fn context_server_configuration(
        &mut self,
        _id: &ContextServerId,
        _project: &Project,
    ) -> Result<Option<ContextServerConfiguration>> {
        Ok(Some(ContextServerConfiguration {
            installation_instructions: include_str!("configuration/instructions.md").to_owned(),
            settings_schema: include_str!("configuration/settings.schema.json").to_owned(),
            default_settings: include_str!("configuration/default_settings.jsonc").to_owned(),
        }))
    }
}

register_extension!(Pathfinder);
