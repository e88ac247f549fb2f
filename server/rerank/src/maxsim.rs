//! `MaxSim` (Khattab & Zaharia, `ColBERT`, SIGIR 2020): each token of the query takes its best match in the document.
//! Called by `Model`.
//!
//! The products are integers, whose sums do not depend on the order: on any instruction set, the result is the same to
//! the last bit.

use crate::vectors::Vectors;

/// Returns the similarity of a document to a query: the mean over the query's tokens of the best cosine with one of the
/// document's, −1 to 1. The original sums; the mean keeps the order within one query, and is comparable between
/// queries. 0 if either has no tokens, or they come from different models.
pub fn similarity(query: &Vectors, document: &Vectors) -> f32 {
    compare(query, document, dot)
}

fn compare(query: &Vectors, document: &Vectors, dot: impl Fn(&[i8], &[i8]) -> i32) -> f32 {
    if query.is_empty() || document.is_empty() || query.width() != document.width() {
        return 0.0;
    }
    let mut sum = 0.0f64;
    for (factor, row) in query.rows() {
        let mut best = f32::NEG_INFINITY;
        for (other, column) in document.rows() {
            best = best.max(dot(row, column) as f32 * other);
        }
        sum += f64::from(best) * f64::from(factor);
    }
    (sum / query.len() as f64) as f32
}

/// Dot product in chunks that fit registers, which the compiler vectorises. At most 2¹⁷ products of two bytes, so no sum
/// overflows.
fn dot(left: &[i8], right: &[i8]) -> i32 {
    let (left, right) = (left.as_chunks::<16>().0, right.as_chunks::<16>().0);
    let mut sum = 0;
    for (left, right) in left.iter().zip(right) {
        let mut part = 0;
        for at in 0..16 {
            part += i32::from(left[at]) * i32::from(right[at]);
        }
        sum += part;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{compare, similarity};
    use crate::vectors::Vectors;
    use crate::vectors::tests::numbers;
    use proptest::prelude::*;

    /// Dot product as a plain loop.
    fn plain(left: &[i8], right: &[i8]) -> i32 {
        left.iter().zip(right).map(|(&left, &right)| i32::from(left) * i32::from(right)).sum()
    }

    /// `MaxSim` by its definition, on the numbers that the integers stand for.
    fn defined(query: &Vectors, document: &Vectors) -> f64 {
        let (query, document) = (numbers(query), numbers(document));
        let cosine = |left: &[f32], right: &[f32]| -> f64 {
            left.iter().zip(right).map(|(&left, &right)| f64::from(left) * f64::from(right)).sum()
        };
        let best = |row: &Vec<f32>| document.iter().map(|column| cosine(row, column)).fold(f64::NEG_INFINITY, f64::max);
        query.iter().map(best).sum::<f64>() / query.len() as f64
    }

    fn vectors(dimension: usize, tokens: std::ops::Range<usize>) -> impl Strategy<Value = Vectors> {
        tokens.prop_flat_map(move |tokens| {
            prop::collection::vec(-1.0f32..1.0, tokens * dimension)
                .prop_map(move |output| Vectors::new(&output, dimension, &(0..tokens).collect::<Vec<_>>()).unwrap())
        })
    }

    fn pairs() -> impl Strategy<Value = (Vectors, Vectors)> {
        (1usize..200).prop_flat_map(|dimension| (vectors(dimension, 1..33), vectors(dimension, 1..20)))
    }

    proptest! {
        #[test]
        fn chunks_equal_the_plain_loop((query, document) in pairs()) {
            let wide = similarity(&query, &document);
            prop_assert_eq!(wide.to_bits(), compare(&query, &document, plain).to_bits());
            prop_assert!((f64::from(wide) - defined(&query, &document)).abs() < 1e-5);
        }

        #[test]
        fn a_text_is_nearest_to_itself((query, document) in pairs()) {
            let own = similarity(&query, &query);
            prop_assert!(similarity(&query, &document) <= own + 0.02);
            prop_assert!((own - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn incomparable_vectors_have_no_similarity() {
        let make = |dimension: usize, rows: &[usize]| Vectors::new(&vec![1.0; dimension * 2], dimension, rows).unwrap();
        assert!(similarity(&make(8, &[]), &make(8, &[0])).abs() < f32::EPSILON);
        assert!(similarity(&make(8, &[0]), &make(8, &[])).abs() < f32::EPSILON);
        assert!(similarity(&make(8, &[0]), &make(40, &[0])).abs() < f32::EPSILON);
    }
}
