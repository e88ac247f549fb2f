//! Checks the files that plays and lists of tasks of Ansible include. The keys are Ansible's own, so the file may have any name.
//!
//! Ansible looks beside the file, then in the directories of its role, then beside the playbook, which can lie above.

use std::borrow::Cow;

use crate::data_report::{DataReport, PathRule};
use crate::yaml::kinds;
use pathfinder_literals::Reason;
use pathfinder_literals::path::{ancestors, extension, is_dynamic, join};
use pathfinder_syntax::data::{Node, Text};

/// Keys of tasks and plays that include a file, without the name of their collection.
const KEYS: [&str; 5] = ["include_tasks", "import_tasks", "import_playbook", "include_vars", "vars_files"];
/// The key that Ansible had before; other programs have it too, but not in a list at the top of a file.
const OLD_KEY: &str = "include";
/// Directories of a role in which its files include each other.
const ROLE_DIRECTORIES: [&str; 3] = ["tasks", "handlers", "vars"];
/// Blocks within blocks that are read; plays have three or four.
const MAX_DEPTH: usize = 16;

/// Returns whether a text can include files by Ansible's keys.
pub(super) fn can_include(text: &str) -> bool {
    KEYS.iter().any(|key| memchr::memmem::find(text.as_bytes(), key.as_bytes()).is_some())
        || text.lines().any(|line| line.trim_start_matches(['-', ' ']).starts_with("include:"))
}

/// Checks every included file of a document.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node<'_>) {
    // Compose and CI services have maps at the top, and the old key too.
    let has_own_key =
        || KEYS.iter().any(|key| memchr::memmem::find(report.source.text().as_bytes(), key.as_bytes()).is_some());
    if !root.items().is_empty() && (matches!(root, Node::List(_)) || has_own_key()) {
        check_node(report, root, MAX_DEPTH);
    }
}

fn check_node(report: &mut DataReport<'_>, node: &Node<'_>, depth: usize) {
    if depth == 0 {
        return;
    }
    // `items` makes a list of any other node, which would visit each map as often as the depth allows.
    if let Node::List(items) = node {
        for item in items {
            check_node(report, item, depth - 1);
        }
    }
    for (key, value) in node.entries() {
        let name = key.text.strip_prefix("ansible.builtin.").unwrap_or(&key.text);
        if KEYS.contains(&name) || name == OLD_KEY {
            let files = value.text().into_iter().chain(value.texts("file"));
            let files = files.chain(value.items().iter().filter_map(Node::text));
            files.for_each(|text| check_file(report, text));
        } else {
            check_node(report, value, depth - 1);
        }
    }
}

/// Checks one included file; parameters can follow its path.
fn check_file(report: &mut DataReport<'_>, text: &Text<'_>) {
    if is_dynamic(&text.text) {
        return report.unknown(kinds::ANSIBLE_INCLUDE, text, Reason::Dynamic);
    }
    let path = text.text.split(' ').next().unwrap_or_default();
    if !matches!(extension(path).as_str(), "yml" | "yaml" | "json") {
        return;
    }
    let range = text.range.start..text.range.start + path.len();
    let rule = PathRule::file(kinds::ANSIBLE_INCLUDE).warning();
    let text = &Text { text: Cow::Borrowed(path), range };
    let Some(path) = report.path(text, rule) else { return };
    let here = report.here();
    // A role can have the name of such a directory: `roles/handlers/tasks`.
    let names: Vec<&str> = here.split('/').collect();
    let depth = names.iter().rposition(|name| ROLE_DIRECTORIES.contains(name));
    let owner = depth.map(|depth| names[..depth].join("/"));
    let beside = owner.iter().flat_map(|owner| ROLE_DIRECTORIES.iter().filter_map(|name| join(owner, name)));
    let bases: Vec<String> =
        std::iter::once(here.to_owned()).chain(beside).chain(ancestors(here).map(str::to_owned)).collect();
    let paths: Vec<Option<String>> = bases.iter().filter_map(|base| join(base, &path)).map(Some).collect();
    report.check_paths(text, rule, paths);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn finds_files_of_roles_and_plays() {
        let tree =
            "roles/web/tasks/main.yml\nroles/web/tasks/install.yml\nroles/web/vars/debian.yml\nvars/all.yml\nsite.yml";
        check(
            tree,
            "roles/web/tasks/extra/more.yml",
            "- name: a\n  include_tasks: install.yml\n- ansible.builtin.import_tasks:\n    file: gone.yml\n- include_vars: debian.yml\n- include_vars: '{{ os }}.yml'\n",
            "yaml.ansible.include install.yml → roles/web/tasks/install.yml
             yaml.ansible.include gone.yml → missing
             yaml.ansible.include debian.yml → roles/web/vars/debian.yml
             yaml.ansible.include {{ os }}.yml → unknown dynamic",
        );
        check(
            tree,
            "play.yml",
            "- import_playbook: site.yml\n- hosts: all\n  vars_files:\n    - vars/all.yml\n    - vars/no.yml\n  tasks:\n    - block:\n        - include: tasks/gone.yml user=x\n",
            "yaml.ansible.include site.yml → site.yml
             yaml.ansible.include vars/all.yml → vars/all.yml
             yaml.ansible.include vars/no.yml → missing
             yaml.ansible.include tasks/gone.yml → missing",
        );
    }

    #[test]
    fn finds_tasks_of_a_role_named_handlers() {
        let tree = "targets/handlers/roles/x/tasks/b.yml";
        let file = "targets/handlers/roles/x/handlers/main.yml";
        let row = "yaml.ansible.include b.yml → targets/handlers/roles/x/tasks/b.yml";
        check(tree, file, "- include_tasks: b.yml\n", row);
    }

    #[test]
    fn reports_includes_of_tests() {
        let file = "test/integration/targets/x/tasks/main.yml";
        let severities = crate::testing::severities("", file, "- name: a\n  include: gone.yml\n");
        assert_eq!(severities, ["warning"]);
    }

    #[test]
    fn leaves_files_of_other_programs_alone() {
        check("", "x.yml", "include: gone.yml\ntasks:\n  include: gone.yml\n", "");
        check("", "x.yml", "- include_role: gone\n- import_playbook: a.b.c\n", "");
    }
}
