"""Opens the weights of the reading nets: the one place that knows which runtime runs them."""

from pathlib import Path
from typing import Any, Final

import onnxruntime

WEIGHTS: Final = Path(__file__).parent / "models"

# It would look for a place to keep a device's number and warn where a service has no home folder.
onnxruntime.disable_telemetry_events()


def open_net(weights: Path) -> Any:
    """Open weights for one thread, so that a look never takes the machine from the clock."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def measured(net: Any) -> dict[str, float]:
    """What was measured about a net on pictures that training never saw; it travels with the weights."""
    stored: dict[str, str] = net.get_modelmeta().custom_metadata_map
    return {name: float(value) for name, value in stored.items()}
