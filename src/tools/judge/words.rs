//! The words of the referee: English, the Chinese term, and the name in JSON.

use super::ruling::Cause;
use crate::rules::{
    Class, GameResult, Harmless, Limit, Man, Manner, PlyKind, Reason, RootFault, RuleSet,
};
use crate::types::{Color, PieceType};
use std::fmt;

/// A term of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The name in JSON.
    pub(super) code: &'static str,
    /// For readers of English.
    pub(super) english: &'static str,
    /// The term in the rule books, if there is one.
    pub(super) chinese: &'static str,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.chinese.is_empty() {
            f.write_str(self.english)
        } else {
            write!(f, "{} ({})", self.english, self.chinese)
        }
    }
}

const fn term(code: &'static str, english: &'static str, chinese: &'static str) -> Term {
    Term {
        code,
        english,
        chinese,
    }
}

/// How a game ends, or that it goes on.
pub(super) const fn result(result: Option<GameResult>) -> Term {
    match result {
        None => term("continue", "goes on", "未终局"),
        Some(GameResult::Draw) => term("draw", "draw", "和棋"),
        Some(GameResult::Loses(Color::Red)) => term("red_loses", "Red loses", "红负"),
        Some(GameResult::Loses(Color::Black)) => term("black_loses", "Black loses", "黑负"),
    }
}

/// Why it ends.
pub(super) const fn cause(cause: Cause) -> Term {
    match cause {
        Cause::IllegalMove => term("illegal_move", "illegal move", "违例"),
        Cause::Rule(Reason::Checkmate) => term("checkmate", "checkmate", "将死"),
        Cause::Rule(Reason::Stalemate) => term("stalemate", "stalemate", "困毙"),
        Cause::Rule(Reason::Repetition) => term("repetition", "repetition", "循环反复"),
        Cause::Rule(Reason::TooLong) => {
            term("too_long", "checks or chases beyond the limit", "超限")
        }
        Cause::Rule(Reason::Limit(Limit::Natural)) => {
            term("natural_limit", "natural limit", "自然限着")
        }
        Cause::Rule(Reason::Limit(Limit::Material)) => {
            term("material", "neither side can win", "双方均无取胜可能")
        }
        Cause::Rule(Reason::Limit(Limit::Total)) => {
            term("total_limit", "400 plies are played", "总回合限着")
        }
    }
}

/// The type of a ply.
pub(super) const fn kind(kind: PlyKind) -> Term {
    match kind {
        PlyKind::Check => term("check", "check", "将"),
        PlyKind::Kill => term("kill", "mate threat", "杀"),
        PlyKind::Chase => term("chase", "chase", "捉"),
        PlyKind::CheckCapture => term("check_capture", "check-capture threat", "抽吃"),
        PlyKind::Idle => term("idle", "idle", "闲"),
    }
}

/// How heavy the conduct of a side is.
pub(super) const fn class(class: Class) -> Term {
    match class {
        Class::Allowed => term("allowed", "allowed", "允许"),
        Class::Forbidden => term("forbidden", "forbidden", "禁止"),
        Class::PinnedRookChase => term(
            "pinned_rook_chase",
            "forbidden: chases a rook that a horse pins",
            "禁止",
        ),
        Class::PerpetualCheck => term(
            "perpetual_check",
            "forbidden whatever the other does",
            "禁止",
        ),
    }
}

/// How a move makes an attack.
pub(super) const fn manner(manner: Manner) -> Term {
    match manner {
        Manner::Direct => term("direct", "by the man that moved", ""),
        Manner::Discovered => term("discovered", "uncovered by the move", "闪击"),
        Manner::Undermined => term("undermined", "the move took its protection away", "去根"),
    }
}

/// Why an attack is no chase.
pub(super) const fn harmless(reason: Harmless) -> Term {
    match reason {
        Harmless::Pinned => term("pinned", "the attacker is pinned", "牵制"),
        Harmless::Exchange => term("exchange", "offers an exchange", "兑"),
        Harmless::Protected => term("protected", "follows a protected man", "跟"),
        Harmless::NoGain => term("no_gain", "the exchange wins nothing", "不得子"),
        Harmless::Mated => term("mated", "whoever takes is mated at once", ""),
        Harmless::PinnedRook => term(
            "pinned_rook",
            "a rook that stays pinned by a horse does not chase that horse",
            "",
        ),
    }
}

/// What a root is worth.
pub(super) const fn root(fault: Option<RootFault>) -> Term {
    match fault {
        None => term("real", "real root", "真根"),
        Some(RootFault::Exposes(_)) => term("exposes_king", "false root", "假根"),
        Some(RootFault::OutOfReach) => term("out_of_reach", "false root", "假根"),
    }
}

/// A side as a JSON name.
pub(super) const fn side_code(side: Color) -> &'static str {
    match side {
        Color::Red => "red",
        Color::Black => "black",
    }
}

/// A rule set as a heading.
pub(super) const fn set_title(set: RuleSet) -> &'static str {
    match set {
        RuleSet::Cxa => "CXA (中国象棋协会)",
        RuleSet::Axf => "AXF (亚洲规则)",
        RuleSet::Computer => "Computer (计算机规则)",
        RuleSet::Sky => "Sky (天天象棋)",
        RuleSet::Classic1956 => "Classic1956 (1956年规则)",
        RuleSet::Classic1959 => "Classic1959 (1959年规则)",
        RuleSet::None => "None",
    }
}

/// A man and its square: `rook (车) a9`.
pub(super) fn man(man: Man) -> String {
    let name = match man.piece.kind {
        PieceType::King => "king",
        PieceType::Advisor => "advisor",
        PieceType::Bishop => "elephant",
        PieceType::Knight => "horse",
        PieceType::Rook => "rook",
        PieceType::Cannon => "cannon",
        PieceType::Pawn => "pawn",
    };
    format!("{name} ({}) {}", man.piece.chinese(), man.square)
}

/// `1st`, `2nd`, ...
pub(super) fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_english_with_the_chinese_in_brackets() {
        assert_eq!(kind(PlyKind::Chase).to_string(), "chase (捉)");
        assert_eq!(manner(Manner::Direct).to_string(), "by the man that moved");
        let ordinals: Vec<String> = [1, 2, 3, 4, 11, 12, 21].into_iter().map(ordinal).collect();
        assert_eq!(
            ordinals,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st"]
        );
    }
}
