"""Writes a trained net as the program opens it: 8-bit ONNX, with its calibration and its provenance inside."""

import json
import logging
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

from vision.inference import PROVENANCE
from vision.training.loop import CHECKPOINT, measure, settle, weights_of
from vision.training.recipe import Recipe
from vision.training.task import Inputs, Task

logger = logging.getLogger(__name__)

OPSET: Final = 17


def export(task: Task, target: Path) -> None:
    """Write the weights that the checkpoint keeps, calibrated on pictures that training never saw."""
    torch.set_num_threads(1)
    net = task.build()
    net.load_state_dict(weights_of(task.work / CHECKPOINT))
    if task.recipe.train.average:
        settle(task, net)
    net.eval()
    figures = measure(task, net)
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        write_plain(task, net, plain)
        quantise(plain, small, task.typical())
        model = onnx.load(small)
    made = provenance_of(task.recipe, figures)
    write_metadata(model, task.neutral(), made, target)
    calibration = task.calibrate(target)
    logger.info("calibration %s", calibration)
    write_metadata(model, calibration, made, target)


def write_plain(task: Task, net: nn.Module, target: Path) -> None:
    """Write a net as ONNX in full precision, batch norm folded away."""
    net = task.exported(net).eval().to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    torch.onnx.export(
        net,
        task.example(),
        str(target),
        input_names=list(task.inputs),
        output_names=list(task.outputs),
        dynamic_axes={name: dict(axes) for name, axes in task.free_axes.items()},
        opset_version=OPSET,
        dynamo=False,
    )


class _Ranges(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime's tools come without types
    """Inputs from which the range of each layer's values is taken."""

    def __init__(self, inputs: Iterable[Inputs]) -> None:
        self._inputs: Iterator[Inputs] = iter(inputs)

    def get_next(self) -> Inputs | None:
        """Return the next input, None after the last."""
        return next(self._inputs, None)


def quantise(plain: Path, target: Path, inputs: Iterable[Inputs]) -> None:
    """Write ``plain`` (ONNX) with 8-bit convolutions: half the time of a look for no measurable loss."""
    prepared = plain.with_suffix(".prepared.onnx")
    quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
    model = onnx.load(str(prepared))
    fold_padding(model.graph)
    onnx.save(model, str(prepared))
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
    model = onnx.load(str(target))
    fold_clips(model.graph)
    onnx.save(model, str(target))


def fold_padding(graph: onnx.GraphProto) -> None:
    """Let convolutions pad by themselves where zeros are put around their input first: nothing runs between them."""
    constants = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    for pad in [node for node in graph.node if node.op_type == "Pad"]:
        users = [node for node in graph.node if pad.output[0] in node.input]
        if pad.input[1] not in constants or any(node.op_type != "Conv" for node in users):
            continue
        above, left, below, right = (int(size) for size in constants[pad.input[1]][[2, 3, 6, 7]])
        for conv in users:
            own = next(each for each in conv.attribute if each.name == "pads")
            own.ints[:] = [size + more for size, more in zip(own.ints, (above, left, below, right), strict=True)]
            conv.input[0] = pad.input[0]
        graph.node.remove(pad)


def fold_clips(graph: onnx.GraphProto) -> None:
    """Leave clips out whose result is stored in 8 bits: these hold no more than the range that the clip left.

    A convolution then writes its 8 bits at once.
    """
    made_by = {output: node for node in graph.node for output in node.output}
    for clip in [node for node in graph.node if node.op_type == "Clip"]:
        chain = [clip]
        while chain[-1].op_type != "Conv" and chain[-1].input[0] in made_by:
            chain.append(made_by[chain[-1].input[0]])
        users = [node for node in graph.node if clip.output[0] in node.input]
        kinds = [node.op_type for node in chain]
        if kinds != ["Clip", "DequantizeLinear", "QuantizeLinear", "Conv"] or len(users) != 1:
            continue
        if users[0].op_type != "QuantizeLinear":
            continue
        users[0].input[0] = chain[-1].output[0]
        for node in chain[:-1]:
            graph.node.remove(node)
    used = {name for node in graph.node for name in node.input}
    for constant in [each for each in graph.initializer if each.name not in used]:
        graph.initializer.remove(constant)


def provenance_of(recipe: Recipe, figures: dict[str, float]) -> dict[str, str]:
    """Return where weights come from: recipe, its hash, the commit of the code, figures on held-out samples."""
    return {
        "recipe": recipe.name,
        "recipe_sha256": recipe.sha256,
        "commit": _commit(),
        "torch": torch.__version__,
        "held_out": json.dumps({name: round(value, 5) for name, value in figures.items()}),
    }


def write_metadata(model: onnx.ModelProto, measured: dict[str, float], made: dict[str, str], target: Path) -> None:
    """Write weights with their calibration and provenance as their only metadata."""
    del model.metadata_props[:]
    for name, value in measured.items():
        model.metadata_props.add(key=name, value=repr(value))
    for name, text in made.items():
        model.metadata_props.add(key=PROVENANCE + name, value=text)
    onnx.save(model, str(target))


def calibrate_again(task: Task, target: Path) -> None:
    """Measure weights that are there already once more, and keep where they come from."""
    model = onnx.load(str(target))
    made = {
        prop.key.removeprefix(PROVENANCE): prop.value
        for prop in model.metadata_props
        if prop.key.startswith(PROVENANCE)
    }
    write_metadata(model, task.neutral(), made, target)
    calibration = task.calibrate(target)
    logger.info("calibration %s", calibration)
    write_metadata(model, calibration, made, target)


def _commit() -> str:
    """Return the commit of the code, marked where files differ from it; unknown outside a checkout."""
    try:
        asked = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
        described = subprocess.run(  # noqa: S603 - fixed words
            asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return described.stdout.strip()
