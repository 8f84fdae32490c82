#!/usr/bin/env python3
"""Images per second of PyTorch, on the networks that `cargo bench -p preceptron-perceive` measures.

    pip install torch
    scripts/bench_pytorch.py [--batch 580] [--seconds 5] [--recurrent]

Trains LeNet (Adam, cross-entropy) and the small network with batch norm (AdamW), then predicts, on one and
on two threads, with either layout of the images. With --recurrent it trains the recurrent transformer of `cargo bench -p preceptron-rivals`
instead, in batches of 16 on one thread. Run it beside the bench on the same machine: only the ratio means
anything.
"""

import argparse
import itertools
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


class Recurrent(nn.Module):
    """L1R32H4: one block of 128 dimensions and 4 heads, applied again and again, with a loss each time."""

    def __init__(self, cells, recurrences, classes, dropout, width=128, heads=4):
        super().__init__()
        self.recurrences, self.heads, self.dropout = recurrences, heads, dropout
        self.symbols, self.position = nn.Embedding(10, width), nn.Parameter(torch.zeros(cells, width))
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
        self.asked, self.attended = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.hidden, self.output = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.head = nn.Linear(width, classes, bias=False)

    def drop(self, x):
        return nn.functional.dropout(x, self.dropout) if self.dropout else x

    def attention(self, x):
        batch, cells, width = x.shape
        split = self.asked(x).view(batch, cells, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(*split, dropout_p=self.dropout)
        return self.attended(mixed.transpose(1, 2).reshape(batch, cells, width))

    def forward(self, symbols, answers):
        x = self.drop(self.symbols(symbols) + self.position)
        loss = 0
        for _ in range(self.recurrences):
            x = x + self.drop(self.attention(self.norms[0](x)))
            x = x + self.drop(self.output(nn.functional.gelu(self.hidden(self.norms[1](x)))))
            loss = loss + nn.functional.cross_entropy(self.head(self.norms[2](x)).flatten(0, 1), answers.flatten())
        return loss


def recurrent(seconds):
    torch.set_num_threads(1)
    for cells, recurrences, classes in [(49, 16, 2), (81, 32, 9), (16, 32, 4)]:
        for dropout in (0.1, 0.0):
            network = Recurrent(cells, recurrences, classes, dropout)
            descent = torch.optim.AdamW(network.parameters(), lr=6e-4, betas=(0.9, 0.95))
            symbols, answers = torch.randint(0, 10, (16, cells)), torch.randint(0, classes, (16, cells))

            def train():
                descent.zero_grad()
                network(symbols, answers).backward()
                nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                descent.step()

            trained = rate(train, 16, seconds, time.process_time)
            print(f"{cells} cells, {recurrences} recurrences, dropout {dropout}: examples in a CPU-second {trained}")


def rate(step, batch, seconds, clock=time.perf_counter):
    """Images per second: the median and the best over steps, after a few to warm up."""
    for _ in range(5):
        step()
    times, begun = [], clock()
    while clock() - begun < seconds:
        start = clock()
        step()
        times.append(clock() - start)
    return f"{batch / sorted(times)[len(times) // 2]:7.1f} (at best {batch / min(times):7.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=580)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--recurrent", action="store_true")
    options = parser.parse_args()
    if options.recurrent:
        print(f"PyTorch {torch.__version__}, batches of 16")
        return recurrent(options.seconds)
    images = torch.rand(options.batch, 1, 28, 28)
    labels = torch.randint(0, 10, (options.batch,))
    print(f"PyTorch {torch.__version__}, batches of {options.batch}")
    networks = [("lenet", lenet, torch.optim.Adam), ("small_cnn", small_cnn, torch.optim.AdamW)]
    layouts = [("channels first", torch.contiguous_format), ("channels last", torch.channels_last)]
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for (name, build, optimiser), (layout, form) in itertools.product(networks, layouts):
            network, images = build().to(memory_format=form), images.to(memory_format=form)
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
            print(f"{name:10} {layout:14} {threads} threads, images/s: trains {trained}, predicts {predicted}")


if __name__ == "__main__":
    main()
