"""Makes a network's convolutions 8-bit: half the time of a look for no measurable loss."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

Inputs = dict[str, npt.NDArray[np.float32]]


class _Ranges(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime's tools come without types
    """Inputs from which the range of each layer's values is taken."""

    def __init__(self, inputs: Iterable[Inputs]) -> None:
        self._inputs: Iterator[Inputs] = iter(inputs)

    def get_next(self) -> Inputs | None:
        """Return the next input, None after the last."""
        return next(self._inputs, None)


def quantise(plain: Path, target: Path, inputs: Iterable[Inputs]) -> None:
    """Write ``plain`` (ONNX) with 8-bit convolutions; ``inputs`` are typical ones by the names of the inputs."""
    prepared = plain.with_suffix(".prepared.onnx")
    quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared),
        str(target),
        _Ranges(inputs),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["Conv"],
    )
    prepared.unlink()
    # The tool's own marks go: what travels with weights are figures measured about them.
    model = onnx.load(str(target))
    del model.metadata_props[:]
    onnx.save(model, str(target))
