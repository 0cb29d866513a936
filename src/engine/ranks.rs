//! The two ways to number ranks in the text of moves.

use crate::types::{File, Move, Rank, Square};

/// How ranks are numbered in the text of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranks {
    /// 0 to 9, as nearly everybody does.
    #[default]
    FromZero,
    /// 1 to 10, as Fairy-Stockfish does.
    FromOne,
}

impl Ranks {
    fn first(self) -> usize {
        match self {
            Self::FromZero => 0,
            Self::FromOne => 1,
        }
    }

    /// The text of a move.
    pub fn text(self, mv: Move) -> String {
        let square = |square: Square| {
            let rank = square.rank().index() + self.first();
            format!("{}{rank}", square.file().letter())
        };
        square(mv.from()) + &square(mv.to())
    }

    /// Reads a move, upper or lower case, with or without a dash, a promotion
    /// letter or another single character behind it ignored.
    pub fn parse(self, text: &str) -> Option<Move> {
        let numbered = NumberedMove::parse(text)?;
        let square = |(file, number): (u8, u8)| {
            let rank = usize::from(number).checked_sub(self.first())?;
            Some(Square::new(File::new(usize::from(file))?, Rank::new(rank)?))
        };
        Move::checked(square(numbered.from)?, square(numbered.to)?)
    }

    /// The numbering that a list of moves shows beyond doubt: a rank 10 or a
    /// rank 0 gives it away. `self` if neither or both occur.
    pub fn evident_in<'a>(self, words: impl Iterator<Item = &'a str>) -> Self {
        let (mut zero, mut ten) = (false, false);
        for mv in words.filter_map(NumberedMove::parse) {
            let ranks = [mv.from.1, mv.to.1];
            zero |= ranks.contains(&0);
            ten |= ranks.contains(&10);
        }
        match (zero, ten) {
            (true, false) => Self::FromZero,
            (false, true) => Self::FromOne,
            _ => self,
        }
    }
}

/// The squares of a move as written: file index and rank number.
struct NumberedMove {
    from: (u8, u8),
    to: (u8, u8),
}

impl NumberedMove {
    fn parse(text: &str) -> Option<Self> {
        let (from, rest) = split_square(text)?;
        let (to, rest) = split_square(rest.strip_prefix('-').unwrap_or(rest))?;
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte.is_ascii_punctuation();
        let whole = rest.is_empty() || rest.len() == 1 && rest.bytes().all(is_letter);
        whole.then_some(Self { from, to })
    }
}

fn split_square(text: &str) -> Option<((u8, u8), &str)> {
    let bytes = text.as_bytes();
    let file = bytes.first()?.to_ascii_lowercase().wrapping_sub(b'a');
    let digit = bytes.get(1)?.wrapping_sub(b'0');
    if usize::from(file) >= File::COUNT || digit > 9 {
        return None;
    }
    if digit == 1 && bytes.get(2) == Some(&b'0') {
        return Some(((file, 10), &text[3..]));
    }
    Some(((file, digit), &text[2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numberings_round_trip() {
        for from in Square::all() {
            for to in Square::all() {
                let Some(mv) = Move::checked(from, to) else {
                    continue;
                };
                for ranks in [Ranks::FromZero, Ranks::FromOne] {
                    assert_eq!(ranks.parse(&ranks.text(mv)), Some(mv));
                }
            }
        }
    }

    #[test]
    fn many_spellings_are_read() {
        let mv = Ranks::FromZero.parse("h2e2");
        for text in ["H2E2", "h2-e2", "H2-E2", "h2e2q", "h2e2+"] {
            assert_eq!(Ranks::FromZero.parse(text), mv, "{text}");
        }
        assert_eq!(Ranks::FromOne.parse("h3e3"), mv);
        for bad in [
            "",
            "h2",
            "h2e",
            "h2h2",
            "j2e2",
            "h2e2qq",
            "h10e2",
            "炮二平五",
            "h2e炮",
        ] {
            assert_eq!(Ranks::FromZero.parse(bad), None, "{bad}");
        }
        assert_eq!(Ranks::FromOne.parse("h0e3"), None);
    }

    #[test]
    fn a_list_may_give_its_numbering_away() {
        let evident = |ranks: Ranks, list: &str| ranks.evident_in(list.split(' '));
        assert_eq!(evident(Ranks::FromZero, "h3e3 h10g8"), Ranks::FromOne);
        assert_eq!(evident(Ranks::FromOne, "h2e2 h9g7 h0g2"), Ranks::FromZero);
        assert_eq!(evident(Ranks::FromOne, "h2e2 h9g7"), Ranks::FromOne);
        assert_eq!(evident(Ranks::FromZero, "h0g2 h10g8"), Ranks::FromZero);
    }
}
