//! The board as an SVG picture: lines, river, palaces, men as discs with their
//! characters, the last move marked.

use super::Scene;
use crate::types::{Color, File, Move, Piece, PieceType, Rank, Square};
use std::fmt::Write as _;

/// The distance of two lines, and of the outermost lines from the edge.
const STEP: i32 = 60;
const MARGIN: i32 = 50;

const WIDTH: i32 = 2 * MARGIN + 8 * STEP;
const HEIGHT: i32 = 2 * MARGIN + 9 * STEP;

const BOARD: &str = "#f3d9a4";
const LINE: &str = "#6b4a1e";
const DISC: &str = "#fdf3dc";
const RED: &str = "#b3221b";
const BLACK: &str = "#1d1d1d";
const MARK: &str = "#2a6fb0";

const FONT: &str = "'Noto Serif CJK SC','Source Han Serif SC','Songti SC',KaiTi,SimSun,serif";

/// The picture, Red at the bottom.
pub fn svg(scene: &Scene) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"{FONT}\">"
    );
    let _ = writeln!(out, "<title>{}</title>", scene.position.to_fen());
    let _ = writeln!(
        out,
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{BOARD}\"/>"
    );
    grid(&mut out);
    river(&mut out);
    coordinates(&mut out);
    if let Some((mv, _)) = &scene.last {
        mark(&mut out, *mv);
    }
    for square in scene.position.occupied() {
        if let Some(piece) = scene.position.piece_on(square) {
            disc(&mut out, square, piece);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn x(file: usize) -> i32 {
    MARGIN + STEP * file as i32
}

fn y(rank: usize) -> i32 {
    MARGIN + STEP * (9 - rank as i32)
}

fn centre(square: Square) -> (i32, i32) {
    (x(square.file().index()), y(square.rank().index()))
}

/// One path with all lines: the inner files stop at the river.
fn grid(out: &mut String) {
    let mut path = String::new();
    let mut line = |from: (usize, usize), to: (usize, usize)| {
        let _ = write!(path, "M{} {}L{} {}", x(from.0), y(from.1), x(to.0), y(to.1));
    };
    for rank in 0..Rank::COUNT {
        line((0, rank), (8, rank));
    }
    for file in 0..File::COUNT {
        if file == 0 || file == 8 {
            line((file, 0), (file, 9));
        } else {
            line((file, 0), (file, 4));
            line((file, 5), (file, 9));
        }
    }
    for palace in [0, 7] {
        line((3, palace), (5, palace + 2));
        line((5, palace), (3, palace + 2));
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" stroke=\"{LINE}\" stroke-width=\"1.5\" fill=\"none\"/>"
    );
    let (left, top) = (x(0) - 6, y(9) - 6);
    let (width, height) = (8 * STEP + 12, 9 * STEP + 12);
    let _ = writeln!(
        out,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
         stroke=\"{LINE}\" stroke-width=\"3\" fill=\"none\"/>"
    );
}

fn text(out: &mut String, (x, y): (i32, i32), size: i32, color: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\" \
         text-anchor=\"middle\" dominant-baseline=\"central\">{words}</text>"
    );
}

fn river(out: &mut String) {
    let middle = (y(4) + y(5)) / 2;
    text(out, (x(2), middle), 28, LINE, "楚 河");
    text(out, (x(6), middle), 28, LINE, "漢 界");
}

fn coordinates(out: &mut String) {
    for file in File::all() {
        let at = (x(file.index()), HEIGHT - 12);
        text(out, at, 13, LINE, &file.letter().to_string());
    }
    for rank in Rank::all() {
        let at = (12, y(rank.index()));
        text(out, at, 13, LINE, &rank.index().to_string());
    }
}

/// A ring where the man came from, corners round where it went.
fn mark(out: &mut String, mv: Move) {
    let (cx, cy) = centre(mv.from());
    let _ = writeln!(
        out,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"10\" stroke=\"{MARK}\" stroke-width=\"3\" \
         fill=\"none\"/>"
    );
    let (cx, cy) = centre(mv.to());
    let mut path = String::new();
    for (dx, dy) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
        let (cornerx, cornery) = (cx + 28 * dx, cy + 28 * dy);
        let _ = write!(
            path,
            "M{} {cornery}H{cornerx}V{}",
            cornerx - 12 * dx,
            cornery - 12 * dy
        );
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" stroke=\"{MARK}\" stroke-width=\"3\" fill=\"none\"/>"
    );
}

fn disc(out: &mut String, square: Square, piece: Piece) {
    let (cx, cy) = centre(square);
    let color = match piece.color {
        Color::Red => RED,
        Color::Black => BLACK,
    };
    let _ = writeln!(
        out,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"26\" fill=\"{DISC}\" stroke=\"{color}\" \
         stroke-width=\"2\"/><circle cx=\"{cx}\" cy=\"{cy}\" r=\"22\" fill=\"none\" \
         stroke=\"{color}\" stroke-width=\"1\"/>"
    );
    text(out, (cx, cy), 28, color, character(piece));
}

/// The character on a man, as it is carved.
const fn character(piece: Piece) -> &'static str {
    match (piece.color, piece.kind) {
        (Color::Red, PieceType::King) => "帥",
        (Color::Red, PieceType::Advisor) => "仕",
        (Color::Red, PieceType::Bishop) => "相",
        (Color::Red, PieceType::Knight) => "傌",
        (Color::Red, PieceType::Rook) => "俥",
        (Color::Red, PieceType::Cannon) => "炮",
        (Color::Red, PieceType::Pawn) => "兵",
        (Color::Black, PieceType::King) => "將",
        (Color::Black, PieceType::Advisor) => "士",
        (Color::Black, PieceType::Bishop) => "象",
        (Color::Black, PieceType::Knight) => "馬",
        (Color::Black, PieceType::Rook) => "車",
        (Color::Black, PieceType::Cannon) => "砲",
        (Color::Black, PieceType::Pawn) => "卒",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn every_man_has_its_disc_at_its_place() {
        let scene = Scene::after(Position::start(), &["h2e2".parse().unwrap()]);
        let picture = svg(&scene);
        for (character, count) in [
            ("兵", 5),
            ("卒", 5),
            ("炮", 2),
            ("砲", 2),
            ("帥", 1),
            ("將", 1),
        ] {
            assert_eq!(picture.matches(character).count(), count, "{character}");
        }
        // Red's king on e0, at the bottom in the middle.
        let (kx, ky) = (MARGIN + 4 * STEP, MARGIN + 9 * STEP);
        assert!(picture.contains(&format!("cx=\"{kx}\" cy=\"{ky}\" r=\"26\"")));
        let king = format!("<text x=\"{kx}\" y=\"{ky}\" font-size=\"28\" fill=\"{RED}\"");
        assert!(picture.contains(&king), "{picture}");
        assert_eq!(
            picture.matches("r=\"10\"").count(),
            1,
            "the last move is marked"
        );
        assert_eq!(picture.matches('<').count(), picture.matches('>').count());
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        let plain = svg(&Scene::after(Position::start(), &[]));
        assert!(!plain.contains("r=\"10\""));
    }
}
