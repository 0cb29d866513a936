//! The analysis as one page that needs no other file and no network.

use super::{AnalysedGame, json};

/// The page; the data stand where the mark is.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "/*DATA*/";

/// The page for all games.
pub(super) fn write(games: &[AnalysedGame]) -> String {
    // Inside a script element nothing may look like its end.
    PAGE.replacen(MARK, &json::write(games).replace('<', "\\u003c"), 1)
}
