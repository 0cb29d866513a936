//! Chinese move text: 炮二平五, 马８进７, 前车退一, 三兵平四, and the short 炮25.
//!
//! ```text
//! man file   verb number     炮二平五
//! order man  verb number     前炮平六  二兵进一  (man and order may change places)
//! order file verb number     前三平四: a pawn, when two files have doubled ones
//! ```
//! The verb may be missing (short form, not behind an order number), or be one of
//! `+ - = .`. Numbers may be written in any of the three ways for either side.
//! Blanks between the signs are skipped, but an order number stands right before
//! its man and the number of the short form right behind the file, lest a move
//! number is taken for one.

use super::Script;
use super::description::{Action, Description, Order, Place};
use super::wxf::{action, digit, narrow};
use crate::types::{Color, Piece, PieceType};

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const TRADITIONAL_RED: [char; PieceType::COUNT] = ['帥', '仕', '相', '馬', '車', '炮', '兵'];
const TRADITIONAL_BLACK: [char; PieceType::COUNT] = ['將', '士', '象', '馬', '車', '炮', '卒'];

/// One sign of a move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Man(PieceType),
    Order(Order),
    Verb(Action),
    Number(u8),
}

/// Reads a text by its signs alone.
pub(super) fn parse(text: &str) -> Option<Description> {
    let mut signs = Signs(text);
    let description = signs.description()?;
    signs.0.is_empty().then_some(description)
}

/// Splits a text that begins with a Chinese move behind it. Records may put
/// moves next to each other without a blank.
pub fn split_chinese_move(text: &str) -> Option<(&str, &str)> {
    let mut signs = Signs(text);
    signs.description()?;
    Some(text.split_at(text.len() - signs.0.len()))
}

/// Writes a description for this side.
pub(super) fn write(description: &Description, side: Color, script: Script) -> String {
    let mut text = String::with_capacity(12);
    let is_traditional = script == Script::Traditional;
    let man = match (script, side) {
        (Script::Simplified, _) => Piece::new(side, description.kind).chinese(),
        (Script::Traditional, Color::Red) => TRADITIONAL_RED[description.kind.index()],
        (Script::Traditional, Color::Black) => TRADITIONAL_BLACK[description.kind.index()],
    };
    match description.place {
        Place::File(file) => text.extend([man, number_sign(file, side)]),
        Place::Tandem { order, .. } => {
            let order = match order {
                Order::Front => '前',
                Order::Middle => '中',
                Order::Rear if is_traditional => '後',
                Order::Rear => '后',
                Order::Nth(number) => number_sign(number, Color::Red),
            };
            text.extend([order, man]);
        }
    }
    match description.action {
        Some(Action::Forward) if is_traditional => text.push('進'),
        Some(Action::Forward) => text.push('进'),
        Some(Action::Back) => text.push('退'),
        Some(Action::Sideways) => text.push('平'),
        None => {}
    }
    text.push(number_sign(description.target, side));
    text
}

/// 一 to 九 for Red, １ to ９ for Black.
fn number_sign(number: u8, side: Color) -> char {
    let index = usize::from(number.clamp(1, 9)) - 1;
    match side {
        Color::Red => NUMERALS[index],
        Color::Black => ['１', '２', '３', '４', '５', '６', '７', '８', '９'][index],
    }
}

/// The text still to be read.
struct Signs<'a>(&'a str);

impl Signs<'_> {
    fn description(&mut self) -> Option<Description> {
        let (kind, place) = self.man()?;
        let is_numbered = matches!(
            place,
            Place::Tandem {
                order: Order::Nth(_),
                ..
            }
        );
        let is_short = !is_numbered
            && self
                .peek()
                .is_some_and(|(sign, _)| matches!(sign, Sign::Number(_)));
        let action = if is_short {
            None
        } else {
            match self.after_blanks()? {
                Sign::Verb(action) => Some(action),
                _ => return None,
            }
        };
        match self.after_blanks()? {
            Sign::Number(target) => Some(Description {
                kind,
                place,
                action,
                target,
            }),
            _ => None,
        }
    }

    fn man(&mut self) -> Option<(PieceType, Place)> {
        let tandem = |order| Place::Tandem { order, file: None };
        match self.next()? {
            Sign::Man(kind) => match self.after_blanks()? {
                Sign::Number(file) => Some((kind, Place::File(file))),
                Sign::Order(order) => Some((kind, tandem(order))),
                _ => None,
            },
            Sign::Order(order) => match self.after_blanks()? {
                Sign::Man(kind) => Some((kind, tandem(order))),
                Sign::Number(file) => {
                    let file = Some(file);
                    Some((PieceType::Pawn, Place::Tandem { order, file }))
                }
                _ => None,
            },
            Sign::Number(number) => match self.next()? {
                Sign::Man(kind) => Some((kind, tandem(Order::Nth(number)))),
                _ => None,
            },
            Sign::Verb(_) => None,
        }
    }

    /// The next sign and the text behind it.
    fn peek(&self) -> Option<(Sign, &str)> {
        let mut chars = self.0.chars();
        let sign = sign_of(chars.next()?)?;
        Some((sign, chars.as_str()))
    }

    fn next(&mut self) -> Option<Sign> {
        let mut chars = self.0.chars();
        let sign = sign_of(chars.next()?)?;
        self.0 = chars.as_str();
        Some(sign)
    }

    fn after_blanks(&mut self) -> Option<Sign> {
        self.0 = self.0.trim_start();
        self.next()
    }
}

/// The meaning of a character in either script, with the older names of the men.
fn sign_of(character: char) -> Option<Sign> {
    use PieceType::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
    Some(match character {
        '帅' | '帥' | '将' | '將' => Sign::Man(King),
        '仕' | '士' => Sign::Man(Advisor),
        '相' | '象' => Sign::Man(Bishop),
        '马' | '馬' | '傌' => Sign::Man(Knight),
        '车' | '車' | '俥' | '伡' | '\u{f902}' => Sign::Man(Rook),
        '炮' | '砲' | '包' => Sign::Man(Cannon),
        '兵' | '卒' => Sign::Man(Pawn),
        '前' => Sign::Order(Order::Front),
        '中' => Sign::Order(Order::Middle),
        '后' | '後' => Sign::Order(Order::Rear),
        '进' | '進' => Sign::Verb(Action::Forward),
        '退' => Sign::Verb(Action::Back),
        '平' => Sign::Verb(Action::Sideways),
        other => {
            if let Some(index) = NUMERALS.iter().position(|&numeral| numeral == other) {
                return Some(Sign::Number(index as u8 + 1));
            }
            let narrow = narrow(other);
            return digit(narrow)
                .map(Sign::Number)
                .or_else(|| action(narrow).map(Sign::Verb));
        }
    })
}
