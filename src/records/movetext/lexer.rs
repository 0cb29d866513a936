//! Move text cut into moves, comments, brackets and results.

use crate::position::{is_move_text, split_chinese_move};
use crate::records::GameResult;

/// One piece of move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Move(&'a str),
    Comment(&'a str),
    Open,
    Close,
    Result(GameResult),
    /// A comment that the text does not close.
    OpenComment,
}

/// Longer words are cut: no move, number or result is as long.
const MAX_WORD: usize = 64;

/// The move text still to be read.
pub(super) struct Lexer<'a>(pub(super) &'a str);

/// What stands between moves and means nothing.
fn is_filler(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | '，' | '、' | '|' | '。' | '!' | '?' | '！' | '？' | '#' | '\u{feff}'
        )
}

/// What ends a word, besides blanks.
fn is_delimiter(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '{' | '}' | '(' | ')' | ';' | ',' | '，' | '、' | '|' | '。'
        )
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.0 = self.0.trim_start_matches(is_filler);
            let mut chars = self.0.chars();
            let first = chars.next()?;
            let behind = chars.as_str();
            match first {
                '{' => return Some(self.comment(behind)),
                ';' | '%' => {
                    let (comment, rest) = behind.split_once('\n').unwrap_or((behind, ""));
                    self.0 = rest;
                    return Some(Token::Comment(comment));
                }
                '(' | ')' => {
                    self.0 = behind;
                    return Some(if first == '(' {
                        Token::Open
                    } else {
                        Token::Close
                    });
                }
                '}' => self.0 = behind,
                '$' => self.0 = behind.trim_start_matches(|c: char| c.is_ascii_digit()),
                _ => {
                    if let Some(token) = self.word() {
                        return Some(token);
                    }
                }
            }
        }
    }
}

impl<'a> Lexer<'a> {
    fn comment(&mut self, text: &'a str) -> Token<'a> {
        match text.split_once('}') {
            Some((comment, rest)) => {
                self.0 = rest;
                Token::Comment(comment)
            }
            None => {
                self.0 = "";
                Token::OpenComment
            }
        }
    }

    /// A move, a result, or a move number, which is skipped.
    fn word(&mut self) -> Option<Token<'a>> {
        if let Some((mv, rest)) = split_chinese_move(self.0) {
            self.0 = rest;
            return Some(Token::Move(mv));
        }
        let mut signs = self.0.char_indices().enumerate();
        let end = signs.find(|&(count, (_, sign))| count == MAX_WORD || is_delimiter(sign));
        let end = end.map_or(self.0.len(), |(_, (at, _))| at);
        let (word, rest) = self.0.split_at(end);
        let mv = word.trim_end_matches(is_filler);
        if is_move_text(mv) {
            self.0 = rest;
            return Some(Token::Move(mv));
        }
        if let Some(result) = GameResult::from_text(word) {
            self.0 = rest;
            return Some(Token::Result(result));
        }
        let behind = word
            .trim_start_matches(|c: char| c.is_numeric())
            .trim_start_matches(['.', '．', '…', ':', '：']);
        if behind.len() < word.len() {
            self.0 = &self.0[word.len() - behind.len()..];
            return None;
        }
        self.0 = rest;
        Some(Token::Move(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Lexer(text).collect()
    }

    #[test]
    fn moves_are_found_whatever_stands_between() {
        for text in [
            "1. 炮二平五 马８进７ 2. 马二进三 1-0",
            "1.炮二平五,马８进７!\r\n2.马二进三?! 1-0",
            "1、炮二平五　马８进７　2、马二进三。红胜",
            "炮二平五马８进７2.马二进三 1-0",
            " 1 炮二平五 马８进７ 2 马二进三 $3 1-0",
            "1炮二平五 马８进７ 2马二进三 1-0",
            "\u{feff}1. 炮 二 平 五 马８ 进７ 2. 马二进三 1-0",
        ] {
            let words: Vec<String> = Lexer(text)
                .filter_map(|token| match token {
                    Token::Move(word) => Some(word.replace(' ', "")),
                    _ => None,
                })
                .collect();
            assert_eq!(words, ["炮二平五", "马８进７", "马二进三"], "{text}");
            let result = Token::Result(GameResult::RedWins);
            assert_eq!(Lexer(text).last(), Some(result), "{text}");
        }
        let wxf = tokens("1. C2.5 H8+7 2. 25=4 ... P+=3 *");
        assert_eq!(wxf[2], Token::Move("25=4"));
        assert_eq!(wxf[3], Token::Move("P+=3"));
        assert_eq!(
            tokens("1. ... H2-E2;x\nh9g7"),
            [
                Token::Move("H2-E2"),
                Token::Comment("x"),
                Token::Move("h9g7"),
            ]
        );
    }
}
