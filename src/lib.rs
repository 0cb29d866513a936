//! Chuhe (楚河): a Chinese-chess (xiangqi) engine.
//!
//! Modules in layer order; each leans only on those before it, and
//! `tests/architecture.rs` fails on an edge that points up.

#![allow(long_running_const_eval)] // the attack tables are computed at compile time

pub mod attacks;
pub mod position;
pub mod records;
pub mod rules;
pub mod search;
pub mod types;
