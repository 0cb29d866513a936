//! Self-play data: the games and their file.

pub mod game_file;
