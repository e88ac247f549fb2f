//! Handlers of LSP requests and notifications, by method. `server` calls them.

pub(super) mod code_action;
pub(super) mod completion;
pub(crate) mod custom_requests;
pub(super) mod definition;
pub(super) mod diagnostic;
pub(super) mod document_link;
pub(super) mod execute_command;
pub(super) mod file_operations;
pub(super) mod hover;
pub(super) mod initialize;
mod server_command;
pub(super) mod settings;
pub(super) mod text_sync;
pub(super) mod workspace_folders;
pub(super) mod workspace_symbol;

#[cfg(test)]
mod tests {
    use pathfinder_literals::Code;

    use super::custom_requests::METHODS;
    use super::server_command::ServerCommand;
    use crate::preferences::Preferences;

    const PROTOCOL: &str = include_str!("../../../docs/protocol.md");

    /// Returns the third-level headings of a section of `protocol.md`, without backticks.
    fn headings(section: &str) -> Vec<&'static str> {
        let (_, rest) = PROTOCOL.split_once(&format!("\n## {section}\n")).expect(section);
        let own = rest.split("\n## ").next().unwrap_or_default();
        own.lines().filter_map(|line| line.strip_prefix("### ")).map(|name| name.trim_matches('`')).collect()
    }

    #[test]
    fn protocol_document_lists_all_requests_and_commands() {
        assert_eq!(headings("Requests"), METHODS);
        assert_eq!(headings("Commands"), ServerCommand::ALL.map(ServerCommand::name));
        assert_eq!(headings("Codes"), Code::ALL.map(Code::name));
        assert_eq!(headings("Notifications"), ["pathfinder/status"]);
        // Each request is a command too.
        for method in METHODS {
            assert!(headings("Commands").contains(&method.replace('/', ".").as_str()), "{method}");
        }
    }

    /// A wrong value of each documented setting is reported.
    #[test]
    fn protocol_document_lists_real_settings() {
        let (_, rest) = PROTOCOL.split_once("| setting | default |").expect("a table");
        let rows = rest.lines().skip(2).take_while(|line| line.starts_with('|'));
        let names: Vec<&str> = rows.map(|row| row.split('`').nth(1).expect("a name")).collect();
        assert_eq!(names.len(), 12);
        for name in names {
            let (_, _, errors) = Preferences::parse(
                &serde_json::json!({name: 3.5}),
                &pathfinder_project::settings::Overrides::default(),
            );
            assert_eq!(errors.len(), 1, "{name}");
        }
    }
}
