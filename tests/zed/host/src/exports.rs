//! The functions of the API that this extension has no use for: each is called, and answers that there is nothing.

use wasmtime::component::Resource;

use crate::extension::{ID, Running};
use crate::handles::Shelf;
use crate::imports::zed::extension::dap::{
    AttachRequest, BuildTaskTemplate, DebugConfig, DebugRequest, DebugTaskDefinition,
};
use crate::imports::zed::extension::lsp::{Completion, Symbol, SymbolKind};
use crate::imports::zed::extension::slash_command::SlashCommand;
use crate::world::World;

#[test]
fn nothing_more_is_offered() {
    let mut zed = Running::on(World::new());
    let (one, other, config) = (zed.worktree(), zed.worktree(), zed.worktree());
    let place: Resource<Shelf> = zed.store.data_mut().table.push(Shelf).unwrap();
    let Running { store, exports } = &mut zed;

    let none = exports.call_language_server_additional_initialization_options(&mut *store, ID, "other", one);
    assert_eq!(none.unwrap(), Ok(None));
    let none = exports.call_language_server_additional_workspace_configuration(&mut *store, ID, "other", other);
    assert_eq!(none.unwrap(), Ok(None));

    let completion = Completion {
        label: "src/main.rs".to_owned(),
        label_details: None,
        detail: None,
        kind: None,
        insert_text_format: None,
    };
    assert!(exports.call_labels_for_completions(&mut *store, ID, &[completion]).unwrap().unwrap().is_empty());
    let symbol = Symbol { kind: SymbolKind::File, name: "main".to_owned() };
    assert!(exports.call_labels_for_symbols(&mut *store, ID, &[symbol]).unwrap().unwrap().is_empty());

    let slash = SlashCommand {
        name: "path".to_owned(),
        description: String::new(),
        tooltip_text: String::new(),
        requires_argument: false,
    };
    assert!(exports.call_complete_slash_command_argument(&mut *store, &slash, &[]).unwrap().unwrap().is_empty());
    assert!(exports.call_run_slash_command(&mut *store, &slash, &[], None).unwrap().is_err());
    assert!(exports.call_suggest_docs_packages(&mut *store, ID).unwrap().unwrap().is_empty());
    assert!(exports.call_index_docs(&mut *store, ID, "package", place).unwrap().is_err());

    let task = DebugTaskDefinition {
        label: String::new(),
        adapter: ID.to_owned(),
        config: "{}".to_owned(),
        tcp_connection: None,
    };
    assert!(exports.call_get_dap_binary(&mut *store, ID, &task, None, config).unwrap().is_err());
    assert!(exports.call_dap_request_kind(&mut *store, ID, "{}").unwrap().is_err());
    let request = DebugRequest::Attach(AttachRequest { process_id: None });
    let debug = DebugConfig { label: String::new(), adapter: ID.to_owned(), request, stop_on_entry: None };
    assert!(exports.call_dap_config_to_scenario(&mut *store, &debug).unwrap().is_err());
    let template = BuildTaskTemplate {
        label: String::new(),
        command: "cargo".to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    };
    assert!(exports.call_dap_locator_create_scenario(&mut *store, ID, &template, "", ID).unwrap().is_none());
    assert!(exports.call_run_dap_locator(&mut *store, ID, &template).unwrap().is_err());
}
