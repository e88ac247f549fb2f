//! English function words. They carry no information about a file; intents and queries drop them.

/// Sorted. Contractions are listed in parts, as `don't` is split.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been", "but", "by", "can",
    "could", "did", "do", "does", "don", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "ll", "me", "my", "of", "on", "or", "our", "please", "s", "should", "some", "than", "that", "the",
    "their", "them", "there", "these", "they", "this", "those", "to", "us", "used", "ve", "was", "we", "were", "what",
    "when", "where", "which", "who", "whose", "why", "will", "with", "would", "you", "your",
];

/// Returns whether a word (lower case) is a function word.
pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_word() {
        assert!(FUNCTION_WORDS.is_sorted());
        assert!(FUNCTION_WORDS.iter().all(|word| is_function_word(word)));
        assert!(!is_function_word("client"));
    }
}
