"""What users import: the estimators, and what to annotate before there is one."""

from sapwood.models.sap import SparseAttributePropagation
from sapwood.models.sap_cv import SparseAttributePropagationCV
from sapwood.models.suggest import suggest_images

__all__ = ["SparseAttributePropagation", "SparseAttributePropagationCV", "suggest_images"]
