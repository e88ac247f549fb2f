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

/// A word of a heading as some renderers write it.
#[derive(Debug, PartialEq, Eq)]
enum SpelledWord {
    /// Words in letters and digits that follow each other, joined: their signs are dropped or become dashes.
    Plain(String),
    /// The syllable of a Chinese character.
    Syllable,
    /// A word of this many letters of another alphabet.
    Letters(usize),
}

/// The words of a heading in another writing that some renderers write in letters: `添加 GLF` is `tian-jia-glf`, `Опции GLF` is `opcii-glf`.
///
/// The number of words, the lengths of those of an alphabet, and the place of those in letters tell the heading without a dictionary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SpelledHeading(Vec<SpelledWord>);

impl SpelledHeading {
    /// Reads a heading; `None` if it has too few words for their number to distinguish it.
    pub(super) fn new(heading: &str) -> Option<Self> {
        /// Words of one or two syllables are too many: `#setup` would be any character.
        const MIN_SYLLABLES: usize = 3;
        /// One word of an alphabet can have the length of another.
        const MIN_WORDS: usize = 2;
        /// No heading has so many characters.
        const MAX_CHARACTERS: usize = 200;
        let mut words: Vec<SpelledWord> = Vec::new();
        let mut is_open = false;
        for c in heading.chars().take(MAX_CHARACTERS) {
            if ('\u{4e00}'..='\u{9fff}').contains(&c) {
                words.push(SpelledWord::Syllable);
                is_open = false;
            } else if c.is_ascii_alphanumeric() {
                match words.last_mut() {
                    Some(SpelledWord::Plain(word)) => word.push(c.to_ascii_lowercase()),
                    _ => words.push(SpelledWord::Plain(c.to_ascii_lowercase().to_string())),
                }
                is_open = true;
            } else if c.is_lowercase() || c.is_uppercase() {
                match words.last_mut() {
                    Some(SpelledWord::Letters(count)) if is_open => *count += 1,
                    _ => words.push(SpelledWord::Letters(1)),
                }
                is_open = true;
            } else {
                is_open = false;
            }
        }
        let count = |is: fn(&SpelledWord) -> bool| words.iter().filter(|word| is(word)).count();
        let letters = count(|word| matches!(word, SpelledWord::Letters(_)));
        let is_distinct = count(|word| *word == SpelledWord::Syllable) >= MIN_SYLLABLES
            || letters >= MIN_WORDS
            || letters > 0 && letters < words.len();
        is_distinct.then_some(Self(words))
    }

    /// Returns whether an identifier can be the heading in letters.
    pub(super) fn has(&self, identifier: &str) -> bool {
        let mut parts = identifier.split(['-', '_']).filter(|part| !part.is_empty());
        self.0.iter().all(|word| word.takes(&mut parts)) && parts.next().is_none()
    }
}

impl SpelledWord {
    /// Takes the parts of an identifier that the word can be; returns whether it can be them.
    fn takes<'i>(&self, parts: &mut impl Iterator<Item = &'i str>) -> bool {
        /// Letters of the longest syllable, `zhuang`.
        const MAX_SYLLABLE: usize = 6;
        /// Letters for one of another alphabet, `shch`, of which a word has few.
        const MAX_PER_LETTER: usize = 2;
        let is_lowercase = |part: &&str| part.bytes().all(|byte| byte.is_ascii_lowercase());
        match self {
            Self::Syllable => parts.next().filter(is_lowercase).is_some_and(|part| part.len() <= MAX_SYLLABLE),
            // Some letters, such as `ь`, are dropped.
            Self::Letters(count) => parts
                .next()
                .filter(is_lowercase)
                .is_some_and(|part| (count.div_ceil(2)..=count * MAX_PER_LETTER).contains(&part.len())),
            Self::Plain(word) => {
                let mut rest = word.as_str();
                while !rest.is_empty() {
                    let part = parts.next().map(str::to_ascii_lowercase);
                    let Some(after) = part.as_deref().and_then(|part| rest.strip_prefix(part)) else { return false };
                    rest = after;
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SpelledHeading;

    #[test]
    fn tells_headings_in_letters() {
        let check = |heading: &str, identifier: &str, expect: bool| {
            let found = SpelledHeading::new(heading).is_some_and(|heading| heading.has(identifier));
            assert_eq!(found, expect, "{heading} {identifier}");
        };
        check("从钱包向会员卡添加 iFIL/GLF", "cong-qian-bao-xiang-hui-yuan-ka-tian-jia-ifilglf", true);
        check("步骤 2：找到地址", "bu-zhou-2-zhao-dao-di-zhi", true);
        check("步骤 2：找到地址", "bu-zhou-3-zhao-dao-di-zhi", false);
        check("步骤 2：找到地址", "step-2", false);
        check("安装", "an-zhuang", false);
        check("Связка с `switchTo*` — лучший UX для режима", "svyazka-s-switchto-luchshij-ux-dlya-rezhima", true);
        check("Связка с `switchTo*` — лучший UX для режима", "svyazka-s-switch-to-luchshij-ux-dlya-rezhima", true);
        check("Связка с `switchTo*` — лучший UX для режима", "svyazka-s-switchto-ux-dlya-rezhima", false);
        check("Опции `context.answer()`", "opcii-context-answer", true);
        check("Опции `context.answer()`", "opcii-context-reply", false);
        check("Установка", "ustanovka", false);
        check("", "", false);
    }
}
