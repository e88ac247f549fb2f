//! Ways in which renderers write the letters and signs of a heading as plain letters.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Signs that renderers write as words, where they do not drop them.
const SIGN_WORDS: [(char, &str); 7] = [
    ('%', "percent"),
    ('&', "and"),
    ('+', "plus"),
    ('.', "dot"),
    ('/', "slash"),
    ('<', "less than"),
    ('>', "greater than"),
];

/// A text whose letters have no accents.
pub(crate) fn without_accents(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).collect()
}

/// A text with two letters for those that German and the Nordic languages add to the alphabet.
pub(super) fn spell_letters(text: &str) -> String {
    const LETTERS: [(char, &str); 7] =
        [('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('ß', "ss"), ('æ', "ae"), ('ø', "oe"), ('å', "aa")];
    let spelled =
        |c: char| LETTERS.iter().find(|(letter, _)| *letter == c).map_or(c.to_string(), |(_, two)| (*two).to_owned());
    without_accents(&text.nfc().flat_map(char::to_lowercase).map(spelled).collect::<String>())
}

/// A text with words for its signs.
pub(super) fn spell_signs(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for c in text.chars() {
        match SIGN_WORDS.iter().find(|(sign, _)| *sign == c) {
            Some((_, word)) => spelled.push_str(word),
            None => spelled.push(c),
        }
    }
    spelled
}

/// Returns whether a text has a sign that some renderers write as a word.
pub(super) fn has_spelled_sign(text: &str) -> bool {
    text.contains(|sign| SIGN_WORDS.iter().any(|(known, _)| *known == sign))
}

/// The words of a heading in Chinese that some renderers write in letters: `添加 GLF` is `tian-jia-glf`.
///
/// Each character is one syllable, so that the number of words and the place of those in letters tell the heading without a dictionary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SpelledHeading(
    /// A word in letters and digits, or `None` for the syllable of a character.
    Vec<Option<String>>,
);

impl SpelledHeading {
    /// Reads a heading; `None` if it has too few characters for their number to distinguish it.
    pub(super) fn new(heading: &str) -> Option<Self> {
        /// Words of one or two syllables are too many: `#setup` would be any character.
        const MIN_CHARACTERS: usize = 3;
        /// No heading has so many characters.
        const MAX_CHARACTERS: usize = 200;
        let mut words: Vec<Option<String>> = Vec::new();
        let mut is_open = false;
        for c in heading.chars().take(MAX_CHARACTERS) {
            if ('\u{4e00}'..='\u{9fff}').contains(&c) {
                words.push(None);
                is_open = false;
            } else if c.is_ascii_alphanumeric() {
                match words.last_mut() {
                    Some(Some(word)) if is_open => word.push(c.to_ascii_lowercase()),
                    _ => words.push(Some(c.to_ascii_lowercase().to_string())),
                }
                is_open = true;
            } else {
                // Signs within a word are dropped: `iFIL/GLF` is `ifilglf`.
                is_open &= !c.is_whitespace() && c.is_ascii();
            }
        }
        (words.iter().filter(|word| word.is_none()).count() >= MIN_CHARACTERS).then_some(Self(words))
    }

    /// Returns whether an identifier can be the heading in letters.
    pub(super) fn has(&self, identifier: &str) -> bool {
        /// Letters of the longest syllable, `zhuang`.
        const MAX_SYLLABLE: usize = 6;
        let is_syllable = |part: &str| part.len() <= MAX_SYLLABLE && part.bytes().all(|byte| byte.is_ascii_lowercase());
        let parts: Vec<&str> = identifier.split(['-', '_']).filter(|part| !part.is_empty()).collect();
        let fits = |(part, word): (&&str, &Option<String>)| {
            word.as_ref().map_or_else(|| is_syllable(part), |word| part.eq_ignore_ascii_case(word))
        };
        parts.len() == self.0.len() && parts.iter().zip(&self.0).all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::SpelledHeading;

    #[test]
    fn tells_chinese_headings_in_letters() {
        let check = |heading: &str, identifier: &str, expect: bool| {
            let found = SpelledHeading::new(heading).is_some_and(|heading| heading.has(identifier));
            assert_eq!(found, expect, "{heading} {identifier}");
        };
        check("从钱包向会员卡添加 iFIL/GLF", "cong-qian-bao-xiang-hui-yuan-ka-tian-jia-ifilglf", true);
        check("步骤 2：找到地址", "bu-zhou-2-zhao-dao-di-zhi", true);
        check("步骤 2：找到地址", "bu-zhou-3-zhao-dao-di-zhi", false);
        check("步骤 2：找到地址", "step-2", false);
        check("安装", "an-zhuang", false);
        check("", "", false);
    }
}
