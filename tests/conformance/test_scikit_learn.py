"""scikit-learn's own checks, for the rivals; `tests/models` has them for ours."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.rivals import RIVALS

EXCEPTIONS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "weights are relative to those of annotated images, and the feature map has none"
    ),
    "check_classifiers_classes": (
        "it takes -1 for a class; here, as in sklearn.semi_supervised, -1 means unannotated"
    ),
}


@parametrize_with_checks(
    [make() for make in RIVALS.values()],
    expected_failed_checks=lambda estimator: EXCEPTIONS,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
