"""The pages of the site by section: the file that each is made from, its place, and its name in the menu where that is not its title.

`generated.py` adds those that no file has.
"""

HOME = "index.html"

SECTIONS = {
    "Start": [("README.md", HOME), ("docs/faq.md", "faq.html")],
    "Guide": [
        ("docs/editor.md", "editor.html"),
        ("docs/views.md", "views.html"),
        ("docs/agent.md", "agent.html"),
        ("docs/terminal.md", "terminal.html"),
        ("docs/ci.md", "ci.html", "In CI"),
    ],
    "Set up": [
        ("vscode-extension/README.md", "vscode.html", "VS Code"),
        ("zed-extension/README.md", "zed.html", "Zed"),
        ("docs/editors.md", "editors.html", "Other editors"),
        ("docs/hooks.md", "hooks.html", "Hooks of agents"),
        ("docs/mcp.md", "mcp.html", "Agents over MCP"),
        ("docs/settings.md", "settings.html"),
    ],
    "Reference": [
        ("docs/check.md", "check.html"),
        ("docs/cli.md", "cli.html"),
        ("docs/json.md", "json.html"),
        ("docs/protocol.md", "protocol.html"),
        ("docs/kinds.md", "kinds.html"),
        ("models/README.md", "models.html"),
    ],
    "Diagnostics": [],
    "Languages and formats": [],
    "Background": [
        ("docs/confidence.md", "confidence.html"),
        ("docs/comparison.md", "comparison.html"),
        ("BENCHMARKS.md", "benchmarks.html"),
        ("SECURITY.md", "security.html"),
        ("CHANGELOG.md", "changelog.html"),
        ("vscode-extension/CHANGELOG.md", "changelog-vscode.html", "Changelog: VS Code"),
        ("zed-extension/CHANGELOG.md", "changelog-zed.html", "Changelog: Zed"),
    ],
}
