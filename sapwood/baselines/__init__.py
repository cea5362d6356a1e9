"""The rivals, one file each, with the interface of `SparseAttributePropagation`."""

from sapwood.baselines.base import Baseline
from sapwood.baselines.conse import ConSE
from sapwood.baselines.eszsl import ESZSL
from sapwood.baselines.kernel_eszsl import KernelESZSL
from sapwood.baselines.kernel_ridge import KernelRidge
from sapwood.baselines.rn import RN
from sapwood.baselines.rpl import RPL
from sapwood.baselines.sae import SAE
from sapwood.baselines.spreading import LabelSpreadingRidge
from sapwood.baselines.sse import SSE
from sapwood.baselines.unlabelled import FILLS
from sapwood.baselines.zskl import ZSKL

#: Every rival by name: the conformance suite and the benchmarks go through this.
BASELINES: dict[str, type[Baseline]] = {
    "rpl": RPL,
    "eszsl": ESZSL,
    "kernel-eszsl": KernelESZSL,
    "sae": SAE,
    "kernel-ridge": KernelRidge,
    "conse": ConSE,
    "label-spreading": LabelSpreadingRidge,
    "sse": SSE,
    "zskl": ZSKL,
    "rn": RN,
}

__all__ = [
    "BASELINES",
    "ESZSL",
    "FILLS",
    "RN",
    "RPL",
    "SAE",
    "SSE",
    "ZSKL",
    "Baseline",
    "ConSE",
    "KernelESZSL",
    "KernelRidge",
    "LabelSpreadingRidge",
]
