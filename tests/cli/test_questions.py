"""A message that asks "did you mean …?" ends with it: no semicolon follows a question."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("predict {folder}/brids.sap {data}", "expected a model file; did you mean '{model}'?"),
        ("bench gzls --out {folder}/rows", "; did you mean 'gzsl'?"),
        (
            "fit {data} --out {folder}/m --descriptions {folder}/said.csv --encoder wordlama",
            "a file of word vectors; did you mean 'wordllama'?",
        ),
        (
            "refine {data} --tags {folder}/tags.csv",
            "(first: '000.jpeg'); name images alike in both; did you mean '000.jpg'?",
        ),
    ],
)
def test_a_question_ends_the_line(run, model_file, data_file, tmp_path, arguments, message):
    (tmp_path / "tags.csv").write_text("image,tag\n000.jpeg,sea\n")
    (tmp_path / "said.csv").write_text("class,description\nnew,a red bird\n")
    given = {"folder": tmp_path, "data": data_file, "model": model_file}
    code, _, err = run(*(part.format(**given) for part in arguments.split()))
    assert code == 2
    assert err.rstrip().endswith(message.format(**given))
