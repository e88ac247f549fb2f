"""The tokenizer: subwords of the words of paths and commit subjects, and how texts become lists of ids."""
import json, pathlib

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from words import words

SPECIAL = ["[PAD]", "[UNK]", "[Q]", "[D]"]
PAD, UNKNOWN, QUERY, DOCUMENT = range(4)
# Tokens read, marker included: 99 of 100 subjects with a path, and 999 of 1,000 paths, are shorter.
QUERY_LENGTH, DOCUMENT_LENGTH = 40, 48


def text_of(text):
    return " ".join(words(text))


def make(texts, size):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=60))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL, show_progress=False, min_frequency=2,
                                        limit_alphabet=128)
    tokenizer.train_from_iterator(map(text_of, texts), trainer)
    return tokenizer


def encode(tokenizer, texts, marker, length):
    encoded = tokenizer.encode_batch([text_of(text) for text in texts], add_special_tokens=False)
    return [[marker] + one.ids[: length - 1] for one in encoded]


def queries(tokenizer, rows, with_path):
    texts = [f"{row['intent_text']} {row['failed_path']}" if with_path else row["intent_text"] for row in rows]
    return encode(tokenizer, texts, QUERY, QUERY_LENGTH)


def documents(tokenizer, paths):
    return encode(tokenizer, paths, DOCUMENT, DOCUMENT_LENGTH)


def load(folder):
    return Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))


def save(tokenizer, folder):
    # Merges and vocabulary on one line each would be smaller; readable ones differ well.
    value = json.loads(tokenizer.to_str())
    (pathlib.Path(folder) / "tokenizer.json").write_text(json.dumps(value, ensure_ascii=False, indent=0) + "\n")
