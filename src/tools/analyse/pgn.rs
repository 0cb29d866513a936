//! The analysis as PGN: a comment for every move, and the better line where the
//! move was a mistake.

use super::{AnalysedGame, SHOWN_MOVES, line_text};
use crate::position::{Notation, Script};
use crate::records::{NodeId, Record, pgn};
use crate::types::score::mate_plies;
use crate::types::{Color, Score};

/// All games, one after the other.
pub(super) fn write(games: &[AnalysedGame]) -> String {
    let texts: Vec<String> = games
        .iter()
        .map(|game| pgn::write(&annotate(game), Notation::Chinese(Script::Simplified)))
        .collect();
    texts.join("\n")
}

/// A score for Red as people read it: pawns, or moves to the mate.
pub(super) fn score_text(score: Score) -> String {
    match mate_plies(score) {
        Some(plies) => {
            let moves = (plies.abs() + 1) / 2;
            let sign = if score < 0 { "-" } else { "" };
            format!("{sign}#{moves}")
        }
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

fn for_red(score: Score, side: Color) -> Score {
    match side {
        Color::Red => score,
        Color::Black => -score,
    }
}

fn annotate(game: &AnalysedGame) -> Record {
    let mut record = game.record.clone();
    record.set_tag("Annotator", concat!("Chuhe ", env!("CARGO_PKG_VERSION")));
    let line: Vec<NodeId> = record.tree().line(NodeId::ROOT).collect();
    let mut parent = NodeId::ROOT;
    let nodes = line.into_iter().filter(|&node| node != NodeId::ROOT);
    for (ply, node) in nodes.enumerate() {
        let (Some(here), Some(next)) = (game.positions.get(ply), game.positions.get(ply + 1))
        else {
            break;
        };
        let side = next.position.side_to_move();
        let mut words = vec![score_text(for_red(next.score, side))];
        if let Some(line) = next.lines.first() {
            words.push(format!("depth {}", line.depth));
        }
        if let Some(flaw) = game.flaw(ply) {
            words.insert(0, format!("{} {}", flaw.sign(), flaw.name()));
            if let Some(best) = here.lines.first() {
                let moves = &best.moves[..best.moves.len().min(SHOWN_MOVES)];
                let better = line_text(&here.position, moves);
                words.push(format!("better 应走 {}", better.join(" ")));
                add_line(&mut record, parent, moves);
            }
        }
        let old = record.tree().comment(node).to_owned();
        let separator = if old.is_empty() { "" } else { "; " };
        record.set_comment(node, &format!("{old}{separator}{}", words.join(", ")));
        parent = node;
    }
    record
}

/// Adds a variation, unless the record has its first move there already.
fn add_line(record: &mut Record, mut parent: NodeId, moves: &[crate::types::Move]) {
    let mut known = record.tree().next(parent);
    while let Some(node) = known {
        if record.tree().mv(node) == moves.first() {
            return;
        }
        known = record.tree().alternative(node);
    }
    for &mv in moves {
        match record.add_move(parent, mv) {
            Ok(node) => parent = node,
            Err(_) => return,
        }
    }
}
