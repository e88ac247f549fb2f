//! `Vectors`: a model's output for a text, one vector per token, as 8-bit integers. Compared by `maxsim`, stored by
//! `cache`.

use crate::error::EncodeError;

/// Vectors are padded with zeros to a multiple of this, so that they are compared in whole registers.
const PADDING: usize = 16;

/// One vector of unit length per token, each as integers and a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    width: usize,
    factors: Box<[f32]>,
    values: Box<[i8]>,
}

impl Vectors {
    /// Selects the rows `compared` of a model's output, with `dimension` numbers each, and scales them to unit length.
    ///
    /// # Errors
    /// Returns an error when a number is not finite.
    pub(crate) fn new(output: &[f32], dimension: usize, compared: &[usize]) -> Result<Self, EncodeError> {
        let width = dimension.next_multiple_of(PADDING);
        let mut factors = Vec::with_capacity(compared.len());
        let mut values = vec![0; width * compared.len()];
        for (&row, values) in compared.iter().zip(values.chunks_exact_mut(width)) {
            let row = &output[row * dimension..(row + 1) * dimension];
            // 64 bits, so that no sum of squares overflows.
            let length = row.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt();
            if !length.is_finite() {
                return Err(EncodeError::NotFinite);
            }
            let largest = row.iter().fold(0.0f32, |most, value| most.max(value.abs()));
            if largest == 0.0 {
                factors.push(0.0);
                continue;
            }
            for (value, &number) in values.iter_mut().zip(row) {
                *value = (number / largest * 127.0).round() as i8;
            }
            factors.push((f64::from(largest) / length / 127.0) as f32);
        }
        Ok(Self { width, factors: factors.into(), values: values.into() })
    }

    /// Returns the number of vectors.
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// Returns whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// Numbers per vector, including padding.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the factor and integers of each vector.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (f32, &[i8])> {
        self.factors.iter().copied().zip(self.values.chunks_exact(self.width.max(1)))
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.values.len() + self.factors.len() * size_of::<f32>()
    }

    /// Appends the serialised form: the number of vectors, factors, integers.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.factors.len() as u16).to_le_bytes());
        out.extend(self.factors.iter().flat_map(|factor| factor.to_le_bytes()));
        out.extend(self.values.iter().map(|value| value.cast_unsigned()));
    }

    /// Reads vectors of this width from the front of serialised bytes.
    pub(crate) fn read(rest: &mut &[u8], width: usize) -> Option<Self> {
        let (count, after) = rest.split_first_chunk::<2>()?;
        let count = usize::from(u16::from_le_bytes(*count));
        let (factors, after) = after.split_at_checked(count * size_of::<f32>())?;
        let (values, after) = after.split_at_checked(count * width)?;
        let factors: Box<[f32]> =
            factors.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect();
        if !factors.iter().all(|factor| factor.is_finite()) {
            return None;
        }
        *rest = after;
        Some(Self { width, factors, values: values.iter().map(|value| value.cast_signed()).collect() })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Vectors;
    use crate::error::EncodeError;
    use proptest::prelude::*;

    /// Returns the numbers that the integers stand for.
    pub(crate) fn numbers(vectors: &Vectors) -> Vec<Vec<f32>> {
        vectors.rows().map(|(factor, row)| row.iter().map(|&value| f32::from(value) * factor).collect()).collect()
    }

    proptest! {
        #[test]
        fn scales_to_unit_length(row in prop::collection::vec(-100.0f32..100.0, 1..200)) {
            prop_assume!(row.iter().any(|value| value.abs() > 1e-3));
            let vectors = Vectors::new(&row, row.len(), &[0]).unwrap();
            let back = &numbers(&vectors)[0];
            let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
            let largest = row.iter().fold(0.0f32, |most, value| most.max(value.abs())) / length;
            for (number, value) in back.iter().zip(&row) {
                // Half a rounding step, and the error of 32-bit floats.
                prop_assert!((number - value / length).abs() <= largest / 254.0 + 1e-5);
            }
        }

        #[test]
        fn round_trips_through_bytes(rows in 0usize..9, seed in any::<u32>()) {
            let output: Vec<f32> = (0..rows * 20).map(|at| ((at as u32).wrapping_mul(seed | 1) % 201) as f32 - 100.0).collect();
            let vectors = Vectors::new(&output, 20, &(0..rows).collect::<Vec<_>>()).unwrap();
            let mut bytes = Vec::new();
            vectors.write(&mut bytes);
            let mut rest = &bytes[..];
            prop_assert_eq!(Vectors::read(&mut rest, vectors.width()), Some(vectors));
            prop_assert!(rest.is_empty());
        }
    }

    #[test]
    fn accepts_zeros_and_refuses_non_finite_numbers() {
        assert_eq!(numbers(&Vectors::new(&[0.0; 4], 4, &[0]).unwrap()), [[0.0; 16]]);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(Vectors::new(&[1.0, bad], 2, &[0]), Err(EncodeError::NotFinite));
        }
        assert!(Vectors::new(&[f32::MAX; 4], 4, &[0]).is_ok());
    }
}
