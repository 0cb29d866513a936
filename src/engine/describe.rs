//! The position in words, for people at a console.

use super::win_rate::normalised;
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::position::Position;
use crate::rules::{Game, Outcome};
use crate::types::{Color, Score};
use std::sync::Arc;

/// The board, its FEN and key, who gives check, and what the rules say.
pub(super) fn position(game: &Game) -> Vec<String> {
    let position = game.position();
    let mut lines: Vec<String> = position.to_string().lines().map(str::to_owned).collect();
    lines.push(String::new());
    lines.push(format!("Fen: {}", position.to_fen()));
    lines.push(format!("Key: {:016x}", position.key()));
    let checkers: Vec<String> = game
        .legality()
        .checkers()
        .into_iter()
        .map(|s| s.to_string())
        .collect();
    lines.push(format!("Checkers: {}", checkers.join(" ")));
    lines.push(format!("State: {}", state(game)));
    lines
}

/// No words with "draw" in them: there are clients that search all output.
fn state(game: &Game) -> String {
    let side = game.position().side_to_move();
    if !game.position().has_legal_move(game.legality()) {
        let how = if game.in_check() {
            "checkmate (将死)"
        } else {
            "stalemate (困毙)"
        };
        return format!("{how}, {}", winner(!side));
    }
    match game
        .verdict(game.ply_count())
        .map(|verdict| verdict.outcome)
    {
        None => "the game goes on (未分胜负)".to_owned(),
        Some(Outcome::Draw) => "even by rule (和棋)".to_owned(),
        Some(Outcome::Win) => format!("by rule {}", winner(side)),
        Some(Outcome::Loss) => format!("by rule {}", winner(!side)),
    }
}

fn winner(side: Color) -> &'static str {
    match side {
        Color::Red => "Red wins (红胜)",
        Color::Black => "Black wins (黑胜)",
    }
}

/// The static evaluation; the last line begins with `Final`.
pub(super) fn evaluation(position: &Position, network: Option<&Arc<Network>>) -> Vec<String> {
    let score = normalised(static_score(position, network));
    let by = network.map_or("by hand".to_owned(), |network| {
        format!("by network {:016x}", network.checksum())
    });
    let side = position.side_to_move();
    let note = if position.in_check() {
        ", in check"
    } else {
        ""
    };
    vec![format!(
        "Final evaluation: {score} (view of {side}{note}, {by})"
    )]
}

/// The static score of the position for the side to move.
pub(super) fn static_score(position: &Position, network: Option<&Arc<Network>>) -> Score {
    Evaluator::new(position, network).evaluate(position)
}
