//! Tests of the position room as a whole.
//!
//! The yardstick is a second move generator ([`reference`]) that knows nothing
//! of bitboards, masks or incremental state: it asks the slow attack functions
//! man by man, makes each move on a copied array and looks whether the king
//! hangs. [`samples`] supplies positions of games played at random and of men
//! thrown on the board.

mod counts;
mod exchange;
mod fen;
mod generator;
mod play;
mod reference;
mod samples;
