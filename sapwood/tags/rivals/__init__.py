"""Other annotators of social images, as heads over fixed features: the paper's Table 5."""

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.cnn_rnn import CNNRNNAnnotator
from sapwood.tags.rivals.logistic import LogisticAnnotator
from sapwood.tags.rivals.ria import RIAAnnotator
from sapwood.tags.rivals.sinn import SINNAnnotator
from sapwood.tags.rivals.softmax import SoftmaxAnnotator
from sapwood.tags.rivals.sr_cnn_rnn import SRCNNRNNAnnotator
from sapwood.tags.rivals.tag_neighbour import TagNeighbourAnnotator
from sapwood.tags.rivals.warp import WARPAnnotator

#: Annotators by name, in the order of the paper's table.
TAG_RIVALS: dict[str, type[TagRival]] = {
    "sr-cnn-rnn": SRCNNRNNAnnotator,
    "sinn": SINNAnnotator,
    "tag-neighbour": TagNeighbourAnnotator,
    "ria": RIAAnnotator,
    "cnn-rnn": CNNRNNAnnotator,
    "cnn-warp": WARPAnnotator,
    "cnn-softmax": SoftmaxAnnotator,
    "cnn-logistic": LogisticAnnotator,
}

__all__ = [
    "TAG_RIVALS",
    "CNNRNNAnnotator",
    "LogisticAnnotator",
    "RIAAnnotator",
    "SINNAnnotator",
    "SRCNNRNNAnnotator",
    "SoftmaxAnnotator",
    "TagNeighbourAnnotator",
    "TagRival",
    "WARPAnnotator",
]
