//! Replaces lone surrogates in messages, which editors that store UTF-16 can have in a text. They write them as `\ud83d`,
//! or as the three bytes that UTF-8 forbids.
//!
//! The JSON decoder refuses such a message as a whole, and after a lost change all later ones apply to the wrong text. Each
//! half becomes U+FFFD, which is one UTF-16 unit too, so that positions stay right.

/// Bytes of an escape, `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// Replaces lone surrogates in a JSON message in place; the length stays the same.
pub(super) fn replace_lone(message: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\\', 0xED, &message[at..]) {
        at += found;
        if message[at] == 0xED {
            // U+D800 to U+DFFF as UTF-8 would encode them: ED A0 80 to ED BF BF.
            if let [_, 0xA0..=0xBF, 0x80..=0xBF, ..] = message[at..] {
                message[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
            }
            at += 1;
            continue;
        }
        at += match utf16_unit(&message[at..]) {
            // Another escape; its second byte may be a backslash.
            None => 2,
            Some(0xD800..=0xDBFF) if matches!(utf16_unit(&message[at + ESCAPE_BYTES..]), Some(0xDC00..=0xDFFF)) => {
                2 * ESCAPE_BYTES
            }
            Some(0xD800..=0xDFFF) => {
                message[at..at + ESCAPE_BYTES].copy_from_slice(b"\\ufffd");
                ESCAPE_BYTES
            }
            Some(_) => ESCAPE_BYTES,
        };
        if at > message.len() {
            return;
        }
    }
}

/// Decodes the `\uXXXX` escape at the start of these bytes; `None` if they start with something else.
fn utf16_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(message: &[u8], expect: &str) {
        let mut replaced = message.to_vec();
        replace_lone(&mut replaced);
        assert_eq!(String::from_utf8_lossy(&replaced), expect);
        assert_eq!(replaced.len(), message.len());
    }

    #[test]
    fn replaces_halves_and_nothing_else() {
        check(br#""a\ud83d""#, r#""a\ufffd""#);
        check(br#""\ude00b""#, r#""\ufffdb""#);
        check(br#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check(br#""\uD83D\uD83D\uDE00\uDE00""#, r#""\ufffd\uD83D\uDE00\ufffd""#);
        check(br#""\ud83dx\ude00""#, r#""\ufffdx\ufffd""#);
        check(br#""\\ud83d\n""#, r#""\\ud83d\n""#);
        check(br#""\\\ud83d""#, r#""\\\ufffd""#);
        check(br#""\ud83"#, r#""\ud83"#);
        check(br#""\ud83d\"#, r#""\ufffd\"#);
        check(b"\\", "\\");
        check(b"\"\xED\xA0\xBD\xED\xB8\x80\xED\x9F\xBF\"", "\"\u{fffd}\u{fffd}\u{d7ff}\"");
    }

    proptest! {
        /// Any sequence of UTF-16 units is readable afterwards and has as many units as before.
        #[test]
        fn every_text_can_be_read(units in prop::collection::vec(prop_oneof![0xD7F0..0xE010_u16, 0x20..0x80_u16], 0..40)) {
            let mut message: Vec<u8> = b"\"".to_vec();
            for unit in &units {
                message.extend(format!("\\u{unit:04x}").as_bytes());
            }
            message.push(b'"');
            replace_lone(&mut message);
            let text: String = serde_json::from_slice(&message).expect("a text");
            prop_assert_eq!(text.encode_utf16().collect::<Vec<_>>(),
                String::from_utf16_lossy(&units).encode_utf16().collect::<Vec<_>>());
            prop_assert_eq!(text.encode_utf16().count(), units.len());
        }
    }
}
