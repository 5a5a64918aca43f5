"""Opens the weights of the reading nets: the one place that knows which runtime runs them."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

WEIGHTS: Final = Path(__file__).parent / "weights"
PROVENANCE: Final = "made."
"""Begins the keys of the weights' metadata that name where they come from; all others are calibration figures."""

Floats = npt.NDArray[np.float32]


def open_net(weights: Path) -> Any:
    """Open weights for one thread, so that a look never takes the machine from the clock."""
    import onnxruntime  # noqa: PLC0415 - half a second that only an opened net is worth

    # It would look for a place to keep a device's number and warn where a service has no home folder.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def measured(net: Any) -> dict[str, float]:
    """What was measured about a net on pictures that training never saw; it travels with the weights."""
    stored: dict[str, str] = net.get_modelmeta().custom_metadata_map
    return {name: float(value) for name, value in stored.items() if not name.startswith(PROVENANCE)}


def provenance(net: Any) -> dict[str, str]:
    """Where a net's weights come from: recipe, commit, figures on held-out samples."""
    stored: dict[str, str] = net.get_modelmeta().custom_metadata_map
    return {name.removeprefix(PROVENANCE): text for name, text in stored.items() if name.startswith(PROVENANCE)}


def probability_of(score: float) -> float:
    """Return the probability that a net's score, log odds, stands for."""
    return float(1 / (1 + np.exp(-score)))


def probabilities_of(scores: Floats) -> Floats:
    """Return the probability that each score, log odds, stands for, in the scores' shape."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))), np.float32)
