//! `MetadataFormat`: finds the package name in each kind of project metadata.

use roxmltree::{Document, Node};
use serde::Deserialize;
use thiserror::Error;

use crate::toml_depth::is_too_deep;

/// A kind of project metadata file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetadataFormat {
    Cargo,
    Composer,
    Csproj,
    GoMod,
    Maven,
    Npm,
    Pyproject,
}

/// The text is malformed.
#[derive(Debug, Error)]
pub(super) enum FormatError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Toml(#[from] toml_edit::de::Error),
    #[error("its tables nest too deeply")]
    TooDeep,
    #[error(transparent)]
    Xml(#[from] roxmltree::Error),
}

#[derive(Default, Deserialize)]
struct NameField {
    name: Option<String>,
}

#[derive(Deserialize)]
struct CargoManifest {
    package: Option<NameField>,
}

#[derive(Deserialize)]
struct Pyproject {
    project: Option<NameField>,
    tool: Option<PyprojectTool>,
}

#[derive(Deserialize)]
struct PyprojectTool {
    poetry: Option<NameField>,
}

impl MetadataFormat {
    /// Returns the format for a file name. Case counts, as it does for the tools that read these files.
    pub(super) fn from_file_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Cargo.toml" => Self::Cargo,
            b"composer.json" => Self::Composer,
            b"go.mod" => Self::GoMod,
            b"package.json" => Self::Npm,
            b"pom.xml" => Self::Maven,
            b"pyproject.toml" => Self::Pyproject,
            _ if name.ends_with(b".csproj") => Self::Csproj,
            _ => return None,
        })
    }

    /// Returns the names that `text` gives to its directory.
    ///
    /// # Errors
    /// If the text is malformed.
    pub(super) fn names(self, text: &str) -> Result<Vec<String>, FormatError> {
        if matches!(self, Self::Cargo | Self::Pyproject) && is_too_deep(text) {
            return Err(FormatError::TooDeep);
        }
        Ok(match self {
            Self::Cargo => {
                toml_edit::de::from_str::<CargoManifest>(text)?.package.and_then(|it| it.name).into_iter().collect()
            }
            Self::Composer | Self::Npm => serde_json::from_str::<NameField>(text)?.name.into_iter().collect(),
            Self::Csproj => csproj(text)?,
            Self::GoMod => go_module(text).map(str::to_owned).into_iter().collect(),
            Self::Maven => maven(text)?,
            Self::Pyproject => {
                let Pyproject { project, tool } = toml_edit::de::from_str(text)?;
                let poetry = tool.and_then(|tool| tool.poetry);
                [project, poetry].into_iter().flatten().filter_map(|it| it.name).collect()
            }
        })
    }

    /// Returns the name that the file name itself gives.
    pub(super) fn name_in_file_name(self, file_name: &str) -> Option<String> {
        match self {
            Self::Csproj => file_name.strip_suffix(".csproj").map(str::to_owned),
            _ => None,
        }
    }
}

/// Finds `module example.com/a`, also quoted or in a block, with comments to the end of the line.
fn go_module(text: &str) -> Option<&str> {
    let mut in_block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let mut words = line.split_whitespace();
        let path = match words.next() {
            Some("module") => words.next(),
            Some(path) if in_block => Some(path),
            _ => continue,
        };
        match path {
            Some("(") => in_block = true,
            Some(")") => in_block = false,
            Some(path) => return Some(path.trim_matches(['"', '`'])),
            None => {}
        }
    }
    None
}

/// Returns `artifactId` and `groupId:artifactId` of the project itself. As in Maven, a missing group is inherited from
/// the parent, and the artifact never is.
fn maven(text: &str) -> Result<Vec<String>, FormatError> {
    let document = Document::parse(text)?;
    let project = document.root_element();
    let Some(artifact) = child_text(project, "artifactId") else { return Ok(Vec::new()) };
    let group = child_text(project, "groupId")
        .or_else(|| child_text(project.children().find(|node| node.has_tag_name_only("parent"))?, "groupId"));
    Ok(group.map(|group| format!("{group}:{artifact}")).into_iter().chain([artifact.to_owned()]).collect())
}

/// Returns the names that the project gives itself beside its file name.
fn csproj(text: &str) -> Result<Vec<String>, FormatError> {
    let document = Document::parse(text)?;
    let groups = document.root_element().children().filter(|node| node.has_tag_name_only("PropertyGroup"));
    let names = groups.flat_map(|group| {
        ["AssemblyName", "PackageId", "RootNamespace"].into_iter().filter_map(move |tag| child_text(group, tag))
    });
    Ok(names.map(str::to_owned).collect())
}

/// Returns the text of a direct child; `None` if it is empty or holds a variable, which only the build tool can expand.
fn child_text<'a>(parent: Node<'a, '_>, tag: &str) -> Option<&'a str> {
    let text = parent.children().find(|node| node.has_tag_name_only(tag))?.text()?.trim();
    (!text.is_empty() && !text.contains("${") && !text.contains("$(")).then_some(text)
}

/// Compares tags by local name, because both formats exist with and without a namespace.
trait LocalName {
    fn has_tag_name_only(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_only(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}
