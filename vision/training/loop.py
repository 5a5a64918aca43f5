"""The loop that trains every net, and goes on where it was stopped as if it had not been."""

import logging
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from vision.training.recipe import Recipe, RecipeError
from vision.training.task import Batch, Outputs, Task

logger = logging.getLogger(__name__)

CHECKPOINT: Final = "checkpoint.pt"
"""Weights, their running mean and the optimiser's state after some step."""
WARM_UP_STEPS: Final = 100
LEAST_SHARE: Final = 0.01
"""Of the peak rate, at the end."""
WATCH_EVERY: Final = 25


def train(task: Task, *, until: int | None = None) -> nn.Module:
    """Train to the recipe's last step, or stop after ``until`` steps; return what is to be exported.

    Each step's batch and random numbers follow from the recipe's seed and the step, and the checkpoint keeps the rest:
    a run that goes on from it ends with the weights of an undisturbed one.
    """
    recipe = task.recipe
    torch.set_num_threads(1)
    torch.manual_seed(recipe.train.seed)
    net = task.build()
    task.prepare(net)
    if recipe.train.start:
        task.start(net, weights_of(task.work / recipe.train.start))
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(task.groups(net), lr=recipe.train.peak_rate, weight_decay=recipe.train.weight_decay)
    average = _average_of(net, recipe)
    file = task.work / CHECKPOINT
    first = _resume(file, recipe, net, optimiser, average)
    last = min(recipe.train.steps, until or recipe.train.steps)
    net.train()
    for step in range(first, last):
        torch.manual_seed(step_seed(recipe.train.seed, step))
        rate = recipe.train.peak_rate * rate_share(step, recipe.train.steps)
        for group in optimiser.param_groups:
            group["lr"] = rate * group["share"]
        inputs, truth = task.batch(step)
        total, watched = task.loss(forward(net, inputs), truth)
        optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        if recipe.train.clip:
            torch.nn.utils.clip_grad_norm_(net.parameters(), recipe.train.clip)
        optimiser.step()
        if average is not None:
            average.update_parameters(net)
        if step % WATCH_EVERY == 0:
            logger.info("step %d loss %.4f %s", step, total.item(), shown(watched))
        if (step + 1) % recipe.train.keep_every == 0 or step + 1 == last:
            _keep(file, recipe, net, optimiser, average, step + 1)
    learnt: nn.Module = net if average is None else average.module
    if last == recipe.train.steps:
        logger.info("held out: %s", shown(measure(task, learnt)))
    return learnt


def rate_share(step: int, steps: int) -> float:
    """Return the share of the peak rate at a step: a warm-up, then half a cosine down to a hundredth."""
    falling = LEAST_SHARE + (1 - LEAST_SHARE) * 0.5 * (1 + math.cos(math.pi * step / steps))
    return min(1.0, (step + 1) / WARM_UP_STEPS) * falling


def step_seed(seed: int, step: int) -> int:
    """Return the seed of torch's random numbers (dropout) at a step."""
    return int(np.random.SeedSequence((seed, step)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def forward(net: nn.Module, inputs: tuple[torch.Tensor, ...]) -> Outputs:
    """Run a net; half precision doubles the speed of a core that knows it, the losses need the full one."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
        outputs = net(*(_channels_last(each) for each in inputs))
    together = outputs if isinstance(outputs, tuple) else (outputs,)
    return tuple(output.float() for output in together)


def measure(task: Task, net: nn.Module) -> dict[str, float]:
    """Return the watched figures' means over held-out batches."""
    net.eval()
    seen: list[dict[str, float]] = []
    with torch.inference_mode():
        for inputs, truth in task.held_out():
            seen.append(task.loss(forward(net, inputs), truth)[1])
    return {name: float(np.nanmean([each[name] for each in seen])) for name in seen[0]} if seen else {}


def settle(task: Task, net: nn.Module) -> None:
    """Measure the normalisations' means again: averaged weights do not fit those met on the way."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None
    net.train()
    with torch.no_grad():
        for number in range(task.settle_steps):
            inputs: Batch = task.batch(task.recipe.train.steps + number)
            net(*inputs[0])
    net.eval()


def weights_of(file: Path) -> dict[str, Any]:
    """Return the weights to be exported that a checkpoint keeps."""
    kept = torch.load(file)
    weights: dict[str, Any] = kept["average"] or kept["net"]
    return weights


def _average_of(net: nn.Module, recipe: Recipe) -> Any:
    if not recipe.train.average:
        return None
    mean = torch.optim.swa_utils.get_ema_multi_avg_fn(recipe.train.average)  # type: ignore[no-untyped-call]
    return torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=mean)


def _keep(file: Path, recipe: Recipe, net: nn.Module, optimiser: Any, average: Any, step: int) -> None:
    unfinished = file.with_suffix(".part")
    torch.save(
        {
            "recipe": recipe.sha256,
            "step": step,
            "net": net.state_dict(),
            "optimiser": optimiser.state_dict(),
            "average": average.module.state_dict() if average is not None else None,
            "averaged": average.n_averaged if average is not None else None,
        },
        unfinished,
    )
    unfinished.rename(file)


def _resume(file: Path, recipe: Recipe, net: nn.Module, optimiser: Any, average: Any) -> int:
    """Take over a checkpoint of this very recipe; return the step to go on with."""
    if not file.exists():
        return 0
    kept = torch.load(file)
    if kept["recipe"] != recipe.sha256:
        msg = f"{file} belongs to another recipe: remove it, or give another work folder"
        raise RecipeError(msg)
    net.load_state_dict(kept["net"])
    optimiser.load_state_dict(kept["optimiser"])
    if average is not None:
        average.module.load_state_dict(kept["average"])
        average.n_averaged.copy_(kept["averaged"])
    return int(kept["step"])


def _channels_last(values: torch.Tensor) -> torch.Tensor:
    return values.contiguous(memory_format=torch.channels_last) if values.dim() == 4 else values


def shown(figures: dict[str, float]) -> str:
    """Figures for one line of a log."""
    return " ".join(f"{name} {value:.4f}" for name, value in figures.items())
