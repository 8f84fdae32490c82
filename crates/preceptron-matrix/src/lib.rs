//! Dense matrices, as far as learning rules and training small networks needs them: products, systems that are
//! positive definite, and the nearest matrix without negative eigenvalues.
//!
//! Products are those of the crates `gemm-f32` and `gemm-f64`, whose kernels are chosen when the program runs
//! by what the processor has ([`kernels`]). Everything runs on one thread, and the order of every sum depends on
//! the shapes and the kind of processor only: the same bits on the same kind of machine.
//!
//! ```
//! use preceptron_matrix::{Cholesky, Mat, product};
//!
//! let a = Mat::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 });
//! let x = Cholesky::of(&a).unwrap().solve(Mat::from_fn(2, 1, |i, _| 3.0 * i as f64));
//! assert!((x[(0, 0)] + 1.0).abs() < 1e-12 && (x[(1, 0)] - 2.0).abs() < 1e-12);
//! assert!((product(a.view(), x.view())[(1, 0)] - 3.0).abs() < 1e-12);
//! ```

mod cholesky;
mod mat;
mod products;
mod semidefinite;
mod vectors;

pub use cholesky::Cholesky;
pub use mat::{Mat, View};
pub use products::{Number, Strided, kernels, multiply, product, subtract_product};
pub use semidefinite::without_negative;
pub use vectors::widest;
