"""The pages of the site by section: the file that each is made from, and its place. `generated.py` adds those that no file has."""

HOME = "index.html"

SECTIONS = {
    "Start": [("README.md", HOME), ("docs/faq.md", "faq.html")],
    "Guide": [
        ("docs/editor.md", "editor.html"),
        ("docs/agent.md", "agent.html"),
        ("docs/terminal.md", "terminal.html"),
        ("docs/ci.md", "ci.html"),
    ],
    "Set up": [
        ("vscode-extension/README.md", "vscode.html"),
        ("zed-extension/README.md", "zed.html"),
        ("docs/editors.md", "editors.html"),
        ("docs/hooks.md", "hooks.html"),
        ("docs/mcp.md", "mcp.html"),
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
        ("vscode-extension/CHANGELOG.md", "changelog-vscode.html"),
        ("zed-extension/CHANGELOG.md", "changelog-zed.html"),
    ],
}
