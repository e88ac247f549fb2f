//! Sorts a list as far as its items are taken. Called by `search`.

use std::cmp::Ordering;

/// Returns the items in order, and sorts them only as far as they are taken. `order` holds no two for equal; `taken` is the number that
/// is mostly taken.
pub(crate) fn sort_lazily<'s, T: Copy>(
    items: &'s mut [T],
    taken: usize,
    order: impl Fn(&T, &T) -> Ordering + 's,
) -> impl Iterator<Item = T> + 's {
    let (mut at, mut sorted) = (0, 0);
    std::iter::from_fn(move || {
        if at == sorted {
            let rest = &mut items[sorted..];
            // As many again, so that taking all costs no more than sorting all.
            let next = rest.len().min(taken.max(sorted).max(1));
            if next < rest.len() {
                rest.select_nth_unstable_by(next, &order);
            }
            rest[..next].sort_unstable_by(&order);
            sorted += next;
        }
        at += 1;
        items[..sorted].get(at - 1).copied()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::sort_lazily;

    proptest! {
        /// The items, and the list behind them, are as after a full sort.
        #[test]
        fn equals_a_full_sort(items in proptest::collection::btree_set(0..1000_u32, 0..40), taken in 0..9_usize, seed in 0..7_u32) {
            let key = |item: &u32| item.wrapping_mul(2_654_435_761).rotate_left(seed);
            let mut lazy: Vec<u32> = items.iter().copied().collect();
            let mut full = lazy.clone();
            full.sort_by_key(key);
            let some: Vec<u32> = sort_lazily(&mut lazy, taken, |one, other| key(one).cmp(&key(other))).take(5).collect();
            prop_assert_eq!(&some[..], &full[..full.len().min(5)]);
            prop_assert_eq!(&lazy[..some.len()], &some[..]);
            let all: Vec<u32> = sort_lazily(&mut lazy, taken, |one, other| key(one).cmp(&key(other))).collect();
            prop_assert_eq!(all, full);
        }
    }
}
