//! Who makes a file that is not in the repository, by the conventions of build tools.

/// The tool that makes a path of this name, if one is known to.
pub(crate) fn by_convention(path: &str) -> Option<&'static str> {
    /// Directories that tools write and that are not kept, whether the project ignores them or not.
    const DIRECTORIES: [(&str, &str); 13] = [
        ("node_modules", "a package manager"),
        (".next", "Next.js"),
        (".nuxt", "Nuxt"),
        (".output", "Nitro"),
        (".svelte-kit", "SvelteKit"),
        (".docusaurus", "Docusaurus"),
        (".turbo", "Turborepo"),
        ("+types", "React Router"),
        ("__generated__", "a code generator"),
        ("_build", "Sphinx"),
        ("_site", "Jekyll"),
        ("__pycache__", "Python"),
        ("target", "Cargo or Maven"),
    ];
    let mut segments = path.split('/');
    let last = segments.next_back()?;
    let inside = segments.find_map(|segment| DIRECTORIES.iter().find(|(name, _)| *name == segment));
    let itself = || DIRECTORIES.iter().find(|(name, _)| *name == last);
    inside.or_else(itself).map(|(_, by)| *by)
}

#[cfg(test)]
mod tests {
    use super::by_convention;

    #[test]
    fn conventions() {
        assert_eq!(by_convention("web/.next/types/index.d.ts"), Some("Next.js"));
        assert_eq!(by_convention("node_modules"), Some("a package manager"));
        assert_eq!(by_convention("src/targets/a.rs"), None);
        assert_eq!(by_convention("docs/next.md"), None);
    }
}
