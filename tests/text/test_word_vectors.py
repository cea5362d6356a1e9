import gzip

import numpy as np
import pytest

from sapwood import InputError
from sapwood.text import WordVectors, encode


def test_a_text_is_the_mean_of_its_words(vectors):
    found = WordVectors(vectors).encode(["a_small BIRD", "red-blue"][1:])
    np.testing.assert_allclose(found, [[0, 0, 0, 0.1]])
    with pytest.warns(UserWarning, match="1 of 3 words have no vector"):
        found = WordVectors(vectors).encode(["a_small BIRD"])
    np.testing.assert_allclose(found, [[0.5, 0, 0.5, 0.15]])


def test_lower_case_goes_before_other_spellings(vectors):
    np.testing.assert_allclose(WordVectors(vectors).encode(["CROWN"]), [[0.5, 0.5, 1, 0]])
    vectors.write_text("Crown 1 2\nCROWN 3 4\n")
    np.testing.assert_allclose(WordVectors(vectors).encode(["crown"]), [[1, 2]])


def test_unknown_words_are_counted(vectors):
    reader = WordVectors(vectors)
    with pytest.warns(UserWarning, match=r"3 of 5 words .* 2 different ones.*'dodo', 'moa'"):
        reader.encode(["red dodo", "blue dodo moa"])
    assert reader.missing == {"dodo": 2, "moa": 1}
    with pytest.raises(InputError, match=r"any word of 'dodo' \(1 of 2 texts\)"):
        reader.encode(["red", "dodo"])


@pytest.mark.parametrize(
    "text",
    [
        "2 3\nred 1 2 3\nbird 3 2 1\n",  # word2vec
        "2 3\nred 1 2 3 \nbird 3 2 1 \n",  # fastText ends lines with a blank
        "red 1 2 3\n. . . 0 0 0\nbird 3 2 1\n",  # GloVe has words with blanks
        "red\t1\t2\t3\r\nbird\t3\t2\t1\r\n",
        "\ufeff2 3\nred 1 2 3\nbird 3 2 1\n",
        "\ufeffred 1 2 3\nbird 3 2 1\n",
    ],
)
def test_formats(tmp_path, text):
    path = tmp_path / "some.txt"
    path.write_bytes(text.encode())
    np.testing.assert_allclose(WordVectors(path).encode(["red bird"]), [[2, 2, 2]])
    path.write_bytes(gzip.compress(text.encode()))
    np.testing.assert_allclose(WordVectors(path).encode(["red bird"]), [[2, 2, 2]])


def test_word2vec_binary_is_refused(tmp_path):
    path = tmp_path / "news.bin"
    numbers = np.array([1.5, -2.0, 3.25], dtype="<f4").tobytes()
    path.write_bytes(b"2 3\nred " + numbers + b"\nbird " + numbers + b"\n")
    with pytest.raises(InputError, match="binary format is not read"):
        WordVectors(path).encode(["red"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("red 1 2\nbird 1\n", "line 2 is not a word and 2 numbers"),
        ("red 1 2\nbird 1 x\n", "line 2 is not a word and 2 numbers"),
        ("red 1 2\nbird 1 nan\n", "line 2 is not a word and 2 numbers"),
        ("red\nbird\n", "line 1 has 0 numbers"),
    ],
)
def test_broken_files(tmp_path, text, message):
    path = tmp_path / "broken.vec"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        WordVectors(path).encode(["red bird"])


def test_a_damaged_archive(tmp_path):
    path = tmp_path / "damaged.vec.gz"
    packed = bytearray(gzip.compress(b"red 1 2\n" * 100))
    packed[10] = 255  # the kind of the first block
    path.write_bytes(packed)
    with pytest.raises(InputError, match=r"damaged\.vec\.gz cannot be read: "):
        WordVectors(path).encode(["red"])


def test_a_file_is_recognised_wherever_it_lies(vectors, tmp_path):
    other = tmp_path / "other.vec"
    other.write_bytes(vectors.read_bytes())
    assert WordVectors(other).name == WordVectors(vectors).name
    other.write_bytes(vectors.read_bytes() + b"owl 0 0 0 0\n")
    assert WordVectors(other).name != WordVectors(vectors).name


def test_every_answer_is_checked(vectors):
    with pytest.raises(InputError, match="text 2 of 2 is empty"):
        encode(WordVectors(vectors), ["red", " "])
    with pytest.raises(InputError, match="there is no text"):
        encode(WordVectors(vectors), [])

    class Short:
        name = "short"

        def encode(self, texts):
            return np.ones((1, 2))

    with pytest.raises(InputError, match=r"'short' returned an array of shape \(1, 2\) for 2"):
        encode(Short(), ["red", "blue"])
