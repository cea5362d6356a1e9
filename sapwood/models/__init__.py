"""The estimators users import."""

from sapwood.models.sap import SparseAttributePropagation

__all__ = ["SparseAttributePropagation"]
