//! The program, driven from outside. One binary, so that it is linked once and its tests run side by side.

mod bench;
mod bombs;
mod certify;
mod data;
mod driver;
mod driving;
mod driving_training;
mod flags;
mod interrupt;
mod latent;
mod learning;
mod nonogram;
mod numbers;
mod ownership;
mod paper;
mod parts;
mod pictures;
mod plans;
mod report;
mod rules;
mod solve;
mod sudoku;
mod tables;
mod verify;
mod workspace;
mod xor;
