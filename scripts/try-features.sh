#!/usr/bin/env bash
# Compiles and tests what the feature `burn` adds: the recurrent transformer (precept train sudoku --network
# transformer). It is off by default, and so not part of `cargo test --workspace`.
#
#     scripts/try-features.sh
#
# It takes rustc 1.95, which is more than the rest needs, and no system library: tensors on the processor are
# pure Rust. About 130 more crates are compiled.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test -p preceptron-perceive --features burn
cargo check -p preceptron-cli --features burn
# Graphics cards: that these compile is all that can be tried without one.
for device in wgpu metal; do
  cargo check -p preceptron-cli --features "burn-$device"
done
# A crate below burn's CUDA backend downloads an LLVM to link with when it is built, but for docs.rs: so the code is
# checked, and not linked.
DOCS_RS=1 cargo check -p preceptron-cli --features burn-cuda
