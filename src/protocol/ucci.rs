//! How UCCI writes what differs between the dialects.

use super::reply::{message, push_pv};
use crate::engine::{BestMove, Info, Offer, RULE_WIN_CP, Ranks, ShownScore};

/// The command that begins another game.
pub(super) const NEW_GAME: &str = "setoption newgame";

/// The answer to a search without a legal move.
pub(super) const NO_MOVE: &str = "nobestmove";

/// A mate is this, less the plies to it.
const MATE: i32 = 10_000;

/// `setoption X Y`.
pub(super) fn set_option(name: &str, value: Option<&[u8]>) -> Vec<u8> {
    let mut line = format!("setoption {name}").into_bytes();
    if let Some(value) = value {
        line.push(b' ');
        line.extend_from_slice(value);
    }
    line
}

/// A score as a bare number.
pub(super) fn score(score: ShownScore) -> i32 {
    match score {
        ShownScore::Cp(cp) => cp.clamp(-RULE_WIN_CP, RULE_WIN_CP),
        ShownScore::Mate(plies) if plies > 0 => MATE - plies,
        ShownScore::Mate(plies) => -MATE - plies,
    }
}

/// What a bare number means.
pub(super) fn read_score(number: i32) -> ShownScore {
    match number {
        number if number <= -MATE => ShownScore::Mate(0),
        number if number < -RULE_WIN_CP => ShownScore::Mate(-MATE - number),
        number if number > RULE_WIN_CP => ShownScore::Mate((MATE - number).max(1)),
        number => ShownScore::Cp(number),
    }
}

/// A thinking line: `depth` first, `pv` last, pairs of key and value between
/// them. Bounds have no word in UCCI.
pub(super) fn info(info: &Info, ranks: Ranks) -> String {
    if let Some(text) = &info.message {
        return message("info message ", text);
    }
    let mut line = "info".to_owned();
    let mut pair = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            line += &format!(" {key} {value}");
        }
    };
    pair("depth", info.depth.map(|n| n.to_string()));
    pair("score", info.score.map(|s| score(s).to_string()));
    pair("time", info.time_ms.map(|n| n.to_string()));
    pair("nodes", info.nodes.map(|n| n.to_string()));
    pair("nps", info.nodes_per_second.map(|n| n.to_string()));
    pair("seldepth", info.selective_depth.map(|n| n.to_string()));
    pair("multipv", info.rank.map(|n| n.to_string()));
    pair("hashfull", info.hashfull.map(|n| n.to_string()));
    pair("tbhits", info.table_hits.map(|n| n.to_string()));
    pair("wdl", info.wdl.map(|[w, d, l]| format!("{w} {d} {l}")));
    pair("currmove", info.current_move.map(|mv| ranks.text(mv)));
    pair("currmovenumber", info.current_number.map(|n| n.to_string()));
    push_pv(&mut line, &info.pv, ranks);
    line
}

/// The move at column 10, the expected reply at column 14, an offer at the end.
pub(super) fn best_move(best: &BestMove, ranks: Ranks) -> String {
    let mut line = format!("bestmove {}", ranks.text(best.mv));
    if let Some(ponder) = best.ponder {
        line += &format!(" ponder {}", ranks.text(ponder));
    }
    line += match best.offer {
        None => "",
        Some(Offer::Draw) => " draw",
        Some(Offer::Resign) => " resign",
    };
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_round_trip() {
        let shown = (-9_500..=9_500)
            .map(ShownScore::Cp)
            .chain((-240..=240).map(ShownScore::Mate));
        for shown in shown {
            assert_eq!(read_score(score(shown)), shown);
        }
        assert_eq!(score(ShownScore::Mate(1)), 9_999);
        assert_eq!(score(ShownScore::Mate(-2)), -9_998);
        assert_eq!(read_score(i32::MAX), ShownScore::Mate(1));
        assert_eq!(read_score(i32::MIN), ShownScore::Mate(0));
    }
}
