//! `is_named_by_condition`: tells from the condition around an include that the name in it is meant: `#ifdef HAL_CRC_ENABLED` around
//! `"hal_crc.h"`.

/// Lines above an include in which its condition begins. More stand between in no list of such includes.
const MAX_LINES: usize = 8;

/// Returns whether the condition in front of a place has all words that the written name has and a similar header's name has not. A
/// macro is set for no part that is left out.
pub(super) fn is_named_by_condition(text: &str, start: usize, written: &str, header: &str) -> bool {
    let condition = text[..start].lines().rev().take(MAX_LINES).find_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        directive.starts_with("if").then_some(directive)
    });
    let Some(condition) = condition.map(words) else { return false };
    let known = words(header);
    let own: Vec<String> = words(written).into_iter().filter(|word| !known.contains(word)).collect();
    !own.is_empty() && own.iter().all(|word| condition.contains(word))
}

/// The words of a name or a condition, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::is_named_by_condition;

    #[track_caller]
    fn check(before: &str, written: &str, header: &str, expect: bool) {
        let text = format!("{before}#include \"{written}\"\n");
        assert_eq!(is_named_by_condition(&text, before.len() + 10, written, header), expect, "{text}");
    }

    #[test]
    fn compares_names_with_conditions() {
        check("#ifdef HAL_CRC_ENABLED\n  ", "hal_crc.h", "hal_rcc.h", true);
        check("#if defined(HAL_CRC_ENABLED)\n", "hal_crc.h", "hal_rcc.h", true);
        check("#ifdef HAL_RCC_ENABLED\n", "hal_crc.h", "hal_rcc.h", false);
        check("#ifdef HAL_CRC_ENABLED\n#endif\n\n\n\n\n\n\n\n\n\n", "hal_crc.h", "hal_rcc.h", false);
        check("", "hal_crc.h", "hal_rcc.h", false);
    }
}
