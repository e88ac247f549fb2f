//! `Facts`: what is read once of a whole tree, one value of each type. A language keeps its own here, so that what all
//! files share needs to know of no language.

use std::any::Any;
use std::sync::OnceLock;

use crate::project::Project;

/// What is read once of a whole tree: where a build looks for headers, which packages there are.
pub(crate) trait Fact: Any + Send + Sync + Sized {
    /// Reads it. What it asks of other facts is read before; it must not ask for itself.
    fn of(project: &Project) -> Self;
}

/// A list that only grows: what was given out stays where it is, so that nobody holds a lock while using it. There are
/// some twenty types, and going through as many cells costs less than a lock.
#[derive(Default)]
pub(crate) struct Facts {
    first: Link,
}

type Link = OnceLock<Box<Cell>>;

struct Cell {
    /// A `OnceLock` of the type that the cell is for. It is what tells the cells apart, and nothing else looks into it.
    fact: Box<dyn Any + Send + Sync>,
    next: Link,
}

impl Facts {
    /// The value of a type, read by whoever asks first; who asks meanwhile waits.
    pub(crate) fn get<F: Fact>(&self, project: &Project) -> &F {
        let mut link = &self.first;
        loop {
            let cell =
                link.get_or_init(|| Box::new(Cell { fact: Box::new(OnceLock::<F>::new()), next: OnceLock::new() }));
            if let Some(fact) = cell.fact.downcast_ref::<OnceLock<F>>() {
                return fact.get_or_init(|| F::of(project));
            }
            link = &cell.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Fact;
    use crate::project::Project;
    use crate::testing::Forest;

    struct Files(usize);
    struct Twice(usize);

    impl Fact for Files {
        fn of(project: &Project) -> Self {
            Self(project.tree().files().len())
        }
    }

    impl Fact for Twice {
        fn of(project: &Project) -> Self {
            Self(project.fact::<Files>().0 * 2)
        }
    }

    #[test]
    fn each_type_has_its_own() {
        let project = Project::new(Arc::new(Forest::new("a\nb\nc")));
        assert_eq!(project.fact::<Twice>().0, 6);
        assert_eq!(project.fact::<Files>().0, 3);
        assert!(std::ptr::eq(project.fact::<Files>(), project.fact::<Files>()), "read once");
    }
}
