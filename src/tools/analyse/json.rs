//! The analysis as data, for programs and for the page.

use super::{AnalysedGame, SHOWN_MOVES, line_text};
use crate::position::{Notation, Script};
use crate::types::Color;
use crate::types::score::mate_plies;
use serde::Serialize;

/// A game.
#[derive(Serialize)]
pub(super) struct GameData {
    source: String,
    event: String,
    red: String,
    black: String,
    date: String,
    result: String,
    positions: Vec<PositionData>,
}

/// A position and the move played in it.
#[derive(Serialize)]
struct PositionData {
    fen: String,
    /// Centipawns for Red; absent for mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// Moves to the mate, positive if Red mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The expected result for Red, 0 to 1.
    expectation: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlayedData>,
    lines: Vec<LineData>,
}

/// The move played.
#[derive(Serialize)]
struct PlayedData {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    /// What it lost of the expected result, 0 to 1.
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    flaw: Option<&'static str>,
}

/// A line of the engine.
#[derive(Serialize)]
struct LineData {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    moves: Vec<String>,
    chinese: Vec<String>,
}

/// Centipawns or moves to the mate, for Red.
fn for_red(score: i32, side: Color) -> (Option<i32>, Option<i32>) {
    let score = if side == Color::Red { score } else { -score };
    match mate_plies(score) {
        Some(plies) => {
            let moves = (plies.abs() + 1) / 2;
            let mover_mates = if score < 0 { -moves } else { moves };
            (None, Some(mover_mates))
        }
        None => (Some(score), None),
    }
}

pub(super) fn game_data(game: &AnalysedGame) -> GameData {
    let tag = |name| game.record.tag(name).unwrap_or_default().to_owned();
    let positions = game.positions.iter().enumerate().map(|(ply, here)| {
        let side = here.position.side_to_move();
        let (score, mate) = for_red(here.score, side);
        let expected = super::expectation(here.score);
        let lines = here.lines.iter().map(|line| {
            let (score, mate) = for_red(line.score, side);
            let shown = &line.moves[..line.moves.len().min(SHOWN_MOVES)];
            LineData {
                score,
                mate,
                depth: line.depth,
                moves: shown.iter().map(ToString::to_string).collect(),
                chinese: line_text(&here.position, shown),
            }
        });
        PositionData {
            fen: here.position.to_fen(),
            score,
            mate,
            expectation: if side == Color::Red {
                expected
            } else {
                1.0 - expected
            },
            played: here.played.map(|mv| PlayedData {
                mv: mv.to_string(),
                chinese: (here.position).write_move(mv, Notation::Chinese(Script::Simplified)),
                loss: game.loss(ply),
                flaw: game.flaw(ply).map(super::Flaw::name),
            }),
            lines: lines.collect(),
        }
    });
    GameData {
        source: game.label.clone(),
        event: tag("Event"),
        red: tag("Red"),
        black: tag("Black"),
        date: tag("Date"),
        result: game.record.result().pgn().to_owned(),
        positions: positions.collect(),
    }
}

/// All games as one array.
pub(super) fn write(games: &[AnalysedGame]) -> String {
    let data: Vec<GameData> = games.iter().map(game_data).collect();
    serde_json::to_string(&data).expect("the data are plain: texts and numbers")
}
