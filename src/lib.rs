//! Chuhe (楚河): a Chinese-chess (xiangqi) engine.
//!
//! The rooms in layer order; each leans only on those before it, and
//! `tests/architecture.rs` fails on an edge that points up.
//!
//! ```text
//! types <- attacks <- position <-+- rules ---+
//!                                +- eval ----+<- search <- engine <- protocol <- tools <- cli <- main
//!                                +- opening ---------------+                     |
//!                                +- records -------------------------------------+
//! ```

#![allow(long_running_const_eval)] // the attack tables are computed at compile time

pub mod attacks;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod opening;
pub mod position;
pub mod protocol;
pub mod records;
pub mod rules;
pub mod search;
pub mod tools;
pub mod types;
