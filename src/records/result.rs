//! The result of a game and the words for it.

use std::fmt;

/// How a game ended, as its record says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// 红胜, `1-0`.
    RedWins,
    /// 黑胜, `0-1`.
    BlackWins,
    /// 和棋, `1/2-1/2`.
    Draw,
    /// Not finished or not told, `*`.
    #[default]
    Unknown,
}

impl GameResult {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, as in PGN.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// 红胜, 黑胜, 和棋 or 未知, as in DhtmlXQ.
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::RedWins => "红胜",
            Self::BlackWins => "黑胜",
            Self::Draw => "和棋",
            Self::Unknown => "未知",
        }
    }

    /// Reads the forms above, the short `1/2`, and English and Chinese words in
    /// either script. `None` if the text is no result.
    pub fn from_text(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match text.as_str() {
            "1-0" | "1:0" | "red" => return Some(Self::RedWins),
            "0-1" | "0:1" | "black" => return Some(Self::BlackWins),
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "draw" | "和" => return Some(Self::Draw),
            "*" | "未知" | "unknown" => return Some(Self::Unknown),
            _ => {}
        }
        if has(&["胜", "勝", "win", "won"]) {
            match (has(&["红", "紅", "red"]), has(&["黑", "black"])) {
                (true, false) => return Some(Self::RedWins),
                (false, true) => return Some(Self::BlackWins),
                _ => {}
            }
        }
        has(&["和棋", "和局", "drawn"]).then_some(Self::Draw)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pgn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_the_words_of_every_format() {
        use GameResult::{BlackWins, Draw, RedWins, Unknown};
        for result in [RedWins, BlackWins, Draw, Unknown] {
            assert_eq!(GameResult::from_text(result.pgn()), Some(result));
            assert_eq!(GameResult::from_text(result.chinese()), Some(result));
        }
        for (text, result) in [
            (" 1/2 ", Some(Draw)),
            ("紅勝", Some(RedWins)),
            ("红先胜", Some(RedWins)),
            ("Black wins", Some(BlackWins)),
            ("draw", Some(Draw)),
            ("h2e2", None),
            ("红方", None),
            ("", None),
        ] {
            assert_eq!(GameResult::from_text(text), result, "{text}");
        }
    }
}
