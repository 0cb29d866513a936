//! How UCI writes what differs between the dialects.

use super::reply::{message, push_pv};
use crate::engine::{BestMove, Info, Ranks, ShownScore};
use crate::types::Bound;

/// The command that begins another game.
pub(super) const NEW_GAME: &str = "ucinewgame";

/// The answer to a search without a legal move.
pub(super) const NO_MOVE: &str = "bestmove (none)";

/// `setoption name X value Y`.
pub(super) fn set_option(name: &str, value: Option<&[u8]>) -> Vec<u8> {
    let mut line = format!("setoption name {name}").into_bytes();
    if let Some(value) = value {
        line.extend_from_slice(b" value ");
        line.extend_from_slice(value);
    }
    line
}

/// A score with its unit; mates count moves, not plies.
fn score(score: ShownScore) -> String {
    match score {
        ShownScore::Cp(cp) => format!("cp {cp}"),
        ShownScore::Mate(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
        ShownScore::Mate(plies) => format!("mate {}", plies / 2),
    }
}

/// What a mate in so many moves is in plies: the mating side has the last one.
pub(super) fn read_mate(moves: i32) -> ShownScore {
    let plies = moves.saturating_mul(2);
    ShownScore::Mate(if moves > 0 {
        plies.saturating_sub(1)
    } else {
        plies
    })
}

/// A thinking line in the usual order, `pv` last.
pub(super) fn info(info: &Info, ranks: Ranks) -> String {
    if let Some(text) = &info.message {
        return message("info string ", text);
    }
    let mut line = "info".to_owned();
    let mut pair = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            line += &format!(" {key} {value}");
        }
    };
    let bound = match info.bound {
        Some(Bound::Lower) => " lowerbound",
        Some(Bound::Upper) => " upperbound",
        Some(Bound::Exact) | None => "",
    };
    pair("depth", info.depth.map(|n| n.to_string()));
    pair("seldepth", info.selective_depth.map(|n| n.to_string()));
    pair("multipv", info.rank.map(|n| n.to_string()));
    pair("score", info.score.map(|s| score(s) + bound));
    pair("wdl", info.wdl.map(|[w, d, l]| format!("{w} {d} {l}")));
    pair("nodes", info.nodes.map(|n| n.to_string()));
    pair("nps", info.nodes_per_second.map(|n| n.to_string()));
    pair("hashfull", info.hashfull.map(|n| n.to_string()));
    pair("tbhits", info.table_hits.map(|n| n.to_string()));
    pair("time", info.time_ms.map(|n| n.to_string()));
    pair("currmove", info.current_move.map(|mv| ranks.text(mv)));
    pair("currmovenumber", info.current_number.map(|n| n.to_string()));
    push_pv(&mut line, &info.pv, ranks);
    line
}

/// The move and the expected reply; UCI knows no offers.
pub(super) fn best_move(best: &BestMove, ranks: Ranks) -> String {
    let mut line = format!("bestmove {}", ranks.text(best.mv));
    if let Some(ponder) = best.ponder {
        line += &format!(" ponder {}", ranks.text(ponder));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        for (plies, text) in [(1, "mate 1"), (3, "mate 2"), (0, "mate 0"), (-2, "mate -1")] {
            assert_eq!(score(ShownScore::Mate(plies)), text);
        }
        for moves in -100..100 {
            let text = score(read_mate(moves));
            assert_eq!(text, format!("mate {moves}"));
        }
        assert_eq!(read_mate(i32::MAX), ShownScore::Mate(i32::MAX - 1));
    }
}
