//! The notation of the World Xiangqi Federation: `C2=5`, `H8+7`, `C+=5`.
//!
//! ```text
//! letter place verb number     letter  K A E/B H/N R C P
//! place  letter verb number    place   a file, + front, . middle, - rear, a..i from the front
//! order  file   verb number    a pawn: order counted from the front of its file (25=4)
//! ```
//! Letters of either case are read, of both sides; `.` and `=` are one verb.

use super::description::{Action, Description, Order, Place};
use crate::types::PieceType;
use arrayvec::ArrayVec;

const LETTERS: [char; PieceType::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

/// Reads a text by its letters alone.
pub(super) fn parse(text: &str) -> Option<Description> {
    let mut signs = ArrayVec::<char, 4>::new();
    for sign in text.chars() {
        signs.try_push(narrow(sign)).ok()?;
    }
    let &[first, second, verb, number] = signs.as_slice() else {
        return None;
    };
    let (kind, place) = man(first, second)?;
    Some(Description {
        kind,
        place,
        action: Some(action(verb)?),
        target: digit(number)?,
    })
}

/// Writes a description; front, middle and rear stand behind the letter.
pub(super) fn write(description: &Description) -> String {
    let mut text = String::with_capacity(4);
    text.push(LETTERS[description.kind.index()]);
    match description.place {
        Place::File(file) => text.push(digit_sign(file)),
        Place::Tandem { order, .. } => text.push(match order {
            Order::Front => '+',
            Order::Middle => '.',
            Order::Rear => '-',
            Order::Nth(number) => char::from(b'a' + number.clamp(1, 9) - 1),
        }),
    }
    match description.action {
        Some(Action::Forward) => text.push('+'),
        Some(Action::Back) => text.push('-'),
        Some(Action::Sideways) => text.push('='),
        None => {}
    }
    text.push(digit_sign(description.target));
    text
}

fn man(first: char, second: char) -> Option<(PieceType, Place)> {
    if let (Some(number), Some(file)) = (digit(first), digit(second)) {
        let order = Order::Nth(number);
        let file = Some(file);
        return Some((PieceType::Pawn, Place::Tandem { order, file }));
    }
    if let Some(order) = order(first) {
        return Some((kind(second)?, Place::Tandem { order, file: None }));
    }
    let place = match (digit(second), order(second), second) {
        (Some(file), _, _) => Place::File(file),
        (_, Some(order), _) => Place::Tandem { order, file: None },
        (_, _, 'a'..='i' | 'A'..='I') => Place::Tandem {
            order: Order::Nth(second.to_ascii_lowercase() as u8 - b'a' + 1),
            file: None,
        },
        _ => return None,
    };
    Some((kind(first)?, place))
}

fn kind(letter: char) -> Option<PieceType> {
    match letter.to_ascii_uppercase() {
        'K' | 'G' => Some(PieceType::King),
        'A' => Some(PieceType::Advisor),
        'E' | 'B' => Some(PieceType::Bishop),
        'H' | 'N' => Some(PieceType::Knight),
        'R' => Some(PieceType::Rook),
        'C' => Some(PieceType::Cannon),
        'P' => Some(PieceType::Pawn),
        _ => None,
    }
}

fn order(sign: char) -> Option<Order> {
    match sign {
        '+' => Some(Order::Front),
        '.' | '=' => Some(Order::Middle),
        '-' => Some(Order::Rear),
        _ => None,
    }
}

pub(super) fn action(sign: char) -> Option<Action> {
    match sign {
        '+' => Some(Action::Forward),
        '-' => Some(Action::Back),
        '=' | '.' => Some(Action::Sideways),
        _ => None,
    }
}

/// 1 to 9.
pub(super) fn digit(sign: char) -> Option<u8> {
    sign.is_ascii_digit()
        .then(|| sign as u8 - b'0')
        .filter(|&digit| digit > 0)
}

fn digit_sign(digit: u8) -> char {
    char::from(b'0' + digit.min(9))
}

/// The ASCII sign for its full-width form and for the dashes of typesetters.
pub(super) fn narrow(sign: char) -> char {
    match sign {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(sign as u32 - 0xff01 + 0x21).unwrap_or(sign),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => sign,
    }
}
