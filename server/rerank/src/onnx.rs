//! Checks the outermost layer of an ONNX file: whether it is complete, and its operator set. Called by `Model::load`.
//!
//! Runtimes report little about a truncated file, and one of them ignores the version. The format is protocol buffers:
//! fields, each a key and a number, a fixed number of bytes, or a length and that many bytes. Only `opset_import` of
//! `ModelProto` is read (field 8, with `domain` 1 and `version` 2).

use crate::error::ModelError;

/// The oldest operator set in which a transformer's operators have their present form.
const OPSET_MIN: u64 = 9;
/// The newest operator set that a runtime was seen to accept (onnxruntime 1.31).
const OPSET_MAX: u64 = 26;

/// Checks a file's fields and operator set.
///
/// # Errors
/// Returns an error when the file is truncated, is no ONNX file, or needs an unsupported operator set.
pub(crate) fn check(file: &str, bytes: &[u8]) -> Result<(), ModelError> {
    let truncated = || ModelError::Truncated { file: file.to_owned(), bytes: bytes.len() };
    let foreign =
        |reason: &str| ModelError::Graph { file: file.to_owned(), runtime: "any runtime", reason: reason.to_owned() };
    let (mut graph, mut opset) = (false, None);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (field, value) = field(&mut rest).map_err(|fault| match fault {
            FieldError::End => truncated(),
            FieldError::Kind => foreign("it is not in the ONNX format"),
        })?;
        match (field, value) {
            (7, FieldValue::Bytes(_)) => graph = true,
            (8, FieldValue::Bytes(import)) => opset = opset.max(default_opset(import)),
            _ => {}
        }
    }
    if !graph {
        return Err(if opset.is_none() { foreign("it is not in the ONNX format") } else { truncated() });
    }
    // The file is truncated exactly between two fields.
    let opset = opset.ok_or_else(truncated)?;
    if (OPSET_MIN..=OPSET_MAX).contains(&opset) {
        return Ok(());
    }
    Err(ModelError::Opset { file: file.to_owned(), opset, least: OPSET_MIN, most: OPSET_MAX })
}

/// Returns the version of the standard operators, if this import is of them.
fn default_opset(mut import: &[u8]) -> Option<u64> {
    let (mut standard, mut version) = (true, None);
    while !import.is_empty() {
        match field(&mut import).ok()? {
            (1, FieldValue::Bytes(domain)) => standard = domain.is_empty() || domain == b"ai.onnx",
            (2, FieldValue::Number(number)) => version = Some(number),
            _ => {}
        }
    }
    version.filter(|_| standard)
}

enum FieldValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Fixed,
}

enum FieldError {
    /// The bytes end within a field.
    End,
    /// The bytes do not begin a field.
    Kind,
}

/// Reads one field from the front.
fn field<'a>(rest: &mut &'a [u8]) -> Result<(u64, FieldValue<'a>), FieldError> {
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => FieldValue::Number(varint(rest)?),
        1 => take(rest, 8).map(|_| FieldValue::Fixed)?,
        2 => {
            let length = usize::try_from(varint(rest)?).map_err(|_| FieldError::Kind)?;
            FieldValue::Bytes(take(rest, length)?)
        }
        5 => take(rest, 4).map(|_| FieldValue::Fixed)?,
        _ => return Err(FieldError::Kind),
    };
    Ok((key >> 3, value))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], FieldError> {
    let (taken, left) = rest.split_at_checked(length).ok_or(FieldError::End)?;
    *rest = left;
    Ok(taken)
}

fn varint(rest: &mut &[u8]) -> Result<u64, FieldError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(rest, 1)?[0];
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(FieldError::Kind)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::error::ModelError;

    /// A file with this opset: `ir_version`, a graph of three bytes, the import.
    fn file(opset: u8) -> Vec<u8> {
        vec![8, 8, 58, 3, 1, 2, 3, 66, 2, 16, opset]
    }

    #[test]
    fn accepts_supported_opsets() {
        for opset in [9, 17, 26] {
            assert_eq!(check("m", &file(opset)), Ok(()));
        }
        for opset in [8, 27, 99] {
            assert!(matches!(check("m", &file(opset)), Err(ModelError::Opset { .. })), "{opset}");
        }
    }

    #[test]
    fn refuses_truncated_files() {
        let whole = file(17);
        for end in 0..whole.len() {
            let error = check("m", &whole[..end]).unwrap_err();
            assert!(matches!(error, ModelError::Truncated { .. } | ModelError::Graph { .. }), "{end}: {error}");
        }
    }

    #[test]
    fn refuses_other_files() {
        for bytes in [&b"version https://git-lfs.github.com/spec/v1"[..], b"", b"{}", &[255; 64], b"<html>"] {
            assert!(check("m", bytes).is_err());
        }
    }
}
