//! `SymbolKind`: the kinds of declarations, common to all languages.

/// The kind of a declaration. Languages have their own words; these are the reader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SymbolKind {
    /// A class, an object with methods of its own.
    Class,
    /// A struct or record.
    Struct,
    /// A union.
    Union,
    /// An enumeration.
    Enum,
    /// An interface or protocol.
    Interface,
    /// A trait, mixin or type class.
    Trait,
    /// A type alias, or another type.
    Type,
    /// A function that belongs to no type.
    Function,
    /// A function that belongs to a type.
    Method,
    /// A function or method that is declared here and defined elsewhere.
    Prototype,
    /// A macro.
    Macro,
    /// A constant.
    Constant,
    /// A variable that is visible in a whole file or beyond.
    Variable,
    /// A module, namespace or package.
    Module,
    /// Members of a type that is declared elsewhere, such as an `impl` or extension.
    Implementation,
    /// A table or view of a database.
    Table,
    /// A message of a protocol.
    Message,
    /// A service of a protocol.
    Service,
    /// A heading of a document.
    Heading,
    /// A target of a build.
    Target,
    /// A section or key of a configuration, a resource.
    Section,
}

impl SymbolKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 21] = [
        Self::Class,
        Self::Struct,
        Self::Union,
        Self::Enum,
        Self::Interface,
        Self::Trait,
        Self::Type,
        Self::Function,
        Self::Method,
        Self::Prototype,
        Self::Macro,
        Self::Constant,
        Self::Variable,
        Self::Module,
        Self::Implementation,
        Self::Table,
        Self::Message,
        Self::Service,
        Self::Heading,
        Self::Target,
        Self::Section,
    ];

    /// Returns the kind's name, one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Type => "type",
            Self::Function => "function",
            Self::Method => "method",
            Self::Prototype => "prototype",
            Self::Macro => "macro",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Module => "module",
            Self::Implementation => "implementation",
            Self::Table => "table",
            Self::Message => "message",
            Self::Service => "service",
            Self::Heading => "heading",
            Self::Target => "target",
            Self::Section => "section",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind with this number in [`ALL`](Self::ALL), which equals its discriminant.
    pub(super) fn from_number(number: u32) -> Self {
        Self::ALL[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::SymbolKind;

    #[test]
    fn numbers_and_names_round_trip() {
        for kind in SymbolKind::ALL {
            assert_eq!(SymbolKind::from_number(kind as u32), kind);
            assert_eq!(SymbolKind::from_name(kind.name()), Some(kind));
        }
    }
}
