#!/usr/bin/env python3
"""Images per second of PyTorch, on the networks that `cargo bench -p preceptron-perceive` measures.

    pip install torch
    scripts/bench_pytorch.py [--batch 580] [--seconds 5]

Trains LeNet (Adam, cross-entropy) and the small network with batch norm (AdamW), then predicts, on one and
on two threads. Run it beside the bench on the same machine: only the ratio means anything.
"""

import argparse
import sys
import time

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("PyTorch is not installed: pip install torch")


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )


def small_cnn():
    def block(inputs, outputs, kernel, **options):
        return [nn.Conv2d(inputs, outputs, kernel, bias=False, **options), nn.BatchNorm2d(outputs), nn.ReLU()]

    return nn.Sequential(
        *block(1, 16, 5, stride=2), *block(16, 32, 3), nn.MaxPool2d(2), *block(32, 48, 3, padding=1),
        nn.Flatten(), nn.Linear(1200, 96, bias=False), nn.BatchNorm1d(96), nn.ReLU(), nn.Linear(96, 10),
    )


def rate(step, batch, seconds):
    """Images per second: the median and the best over steps, after a few to warm up."""
    for _ in range(5):
        step()
    times, begun = [], time.perf_counter()
    while time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return f"{batch / sorted(times)[len(times) // 2]:6.0f} (at best {batch / min(times):6.0f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=580)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    images = torch.rand(options.batch, 1, 28, 28)
    labels = torch.randint(0, 10, (options.batch,))
    print(f"PyTorch {torch.__version__}, batches of {options.batch}")
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for name, build, optimiser in [("lenet", lenet, torch.optim.Adam), ("small_cnn", small_cnn, torch.optim.AdamW)]:
            network = build()
            descent = optimiser(network.parameters(), lr=2e-3)

            def train():
                descent.zero_grad()
                nn.functional.cross_entropy(network(images), labels).backward()
                descent.step()

            def predict():
                with torch.inference_mode():
                    network(images).softmax(1)

            trained = rate(train, options.batch, options.seconds)
            network.eval()
            predicted = rate(predict, options.batch, options.seconds)
            print(f"{name:10} {threads} threads, images/s: trains {trained}, predicts {predicted}")


if __name__ == "__main__":
    main()
