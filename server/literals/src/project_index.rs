//! `ProjectIndexes`: data that is computed once for a whole tree, one value per type.
//!
//! Each language declares its own [`ProjectIndex`] types and reads them with [`Project::index`]. So [`Project`] depends on no
//! language.

use std::any::Any;
use std::sync::OnceLock;

use crate::project::Project;

/// Data about a whole tree that is computed at its first use, such as include directories or the list of packages.
pub trait ProjectIndex: Any + Send + Sync + Sized {
    /// Computes the index. It may use other indexes; it must not ask for itself, which would deadlock.
    fn build(project: &Project) -> Self;
}

/// All indexes of one project, as a linked list that only grows.
///
/// Values never move, so callers hold no lock while they use one. There are some twenty types, and walking as many cells
/// costs less than a lock.
#[derive(Default)]
pub(crate) struct ProjectIndexes {
    first: CellLink,
}

type CellLink = OnceLock<Box<IndexCell>>;

struct IndexCell {
    /// A `OnceLock<F>` of the type `F` that the cell is for. Its type identifies the cell.
    value: Box<dyn Any + Send + Sync>,
    next: CellLink,
}

impl ProjectIndexes {
    /// Returns the index of type `F`. The first caller builds it; concurrent callers wait.
    pub(crate) fn get<F: ProjectIndex>(&self, project: &Project) -> &F {
        let mut link = &self.first;
        loop {
            let cell = link
                .get_or_init(|| Box::new(IndexCell { value: Box::new(OnceLock::<F>::new()), next: OnceLock::new() }));
            if let Some(value) = cell.value.downcast_ref::<OnceLock<F>>() {
                return value.get_or_init(|| F::build(project));
            }
            link = &cell.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::ProjectIndex;
    use crate::project::Project;
    use crate::testing::MemoryTree;

    struct FileCount(usize);
    struct DoubledFileCount(usize);

    impl ProjectIndex for FileCount {
        fn build(project: &Project) -> Self {
            Self(project.tree().files().len())
        }
    }

    impl ProjectIndex for DoubledFileCount {
        fn build(project: &Project) -> Self {
            Self(project.index::<FileCount>().0 * 2)
        }
    }

    #[test]
    fn builds_each_type_once() {
        let project = Project::new(Arc::new(MemoryTree::new("a\nb\nc")), &[]);
        assert_eq!(project.index::<DoubledFileCount>().0, 6);
        assert_eq!(project.index::<FileCount>().0, 3);
        assert!(std::ptr::eq(project.index::<FileCount>(), project.index::<FileCount>()), "built once");
    }
}
