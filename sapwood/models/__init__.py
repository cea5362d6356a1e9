"""The estimators users import."""

from sapwood.models.sap import SparseAttributePropagation
from sapwood.models.sap_cv import SparseAttributePropagationCV

__all__ = ["SparseAttributePropagation", "SparseAttributePropagationCV"]
