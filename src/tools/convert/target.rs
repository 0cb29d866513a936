//! The formats that games can be written in.

use crate::position::{Notation, Script};
use crate::records::encoding::{self, TextEncoding};
use crate::records::{Record, RecordError, dhtmlxq, iccs, pgn, xqf};
use std::fmt;
use std::str::FromStr;

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// PGN with moves like `H2-E2`.
    PgnIccs,
    /// PGN with moves like 炮二平五 in simplified characters.
    PgnChinese,
    /// The same in traditional characters.
    PgnTraditional,
    /// PGN with moves like `C2=5`.
    PgnWxf,
    /// DhtmlXQ.
    DhtmlXq,
    /// XQF version 0x0A.
    Xqf,
    /// `position fen ... moves ...`, as engines are told.
    Ucci,
    /// Result, start and moves in a row.
    Rows,
    /// The FEN of the start with the moves behind it.
    Fen,
    /// The last position as EPD.
    Epd,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::PgnIccs,
        Self::PgnChinese,
        Self::PgnTraditional,
        Self::PgnWxf,
        Self::DhtmlXq,
        Self::Xqf,
        Self::Ucci,
        Self::Rows,
        Self::Fen,
        Self::Epd,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PgnIccs => "pgn-iccs",
            Self::PgnChinese => "pgn",
            Self::PgnTraditional => "pgn-traditional",
            Self::PgnWxf => "pgn-wxf",
            Self::DhtmlXq => "ubb",
            Self::Xqf => "xqf",
            Self::Ucci => "ucci",
            Self::Rows => "rows",
            Self::Fen => "fen",
            Self::Epd => "epd",
        }
    }

    /// What its files end in.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::PgnIccs | Self::PgnChinese | Self::PgnTraditional | Self::PgnWxf => "pgn",
            Self::DhtmlXq => "ubb",
            Self::Xqf => "xqf",
            Self::Ucci | Self::Rows => "txt",
            Self::Fen => "fen",
            Self::Epd => "epd",
        }
    }

    /// Whether a file can hold several games.
    pub const fn holds_several(self) -> bool {
        !matches!(self, Self::Xqf)
    }

    /// A game in this format.
    ///
    /// # Errors
    /// If format or encoding cannot hold it.
    pub fn write(self, record: &Record, encoding: TextEncoding) -> Result<Vec<u8>, RecordError> {
        let text = match self {
            Self::PgnIccs => pgn::write(record, Notation::Iccs),
            Self::PgnChinese => pgn::write(record, Notation::Chinese(Script::Simplified)),
            Self::PgnTraditional => pgn::write(record, Notation::Chinese(Script::Traditional)),
            Self::PgnWxf => pgn::write(record, Notation::Wxf),
            Self::DhtmlXq => dhtmlxq::write(record)?,
            Self::Xqf => return xqf::write(record),
            Self::Ucci => iccs::write_ucci(record) + "\n",
            Self::Rows => iccs::write_row(record) + "\n",
            Self::Fen => {
                let line = iccs::write_ucci(record);
                line.trim_start_matches("position fen ").to_owned() + "\n"
            }
            Self::Epd => epd(record),
        };
        encoding::encode(&text, encoding)
    }

    /// The games of a file, one behind the other.
    pub fn join(self, games: Vec<Vec<u8>>) -> Vec<u8> {
        let is_pgn = self.extension() == "pgn";
        games.join(if is_pgn { &b"\n"[..] } else { b"" })
    }
}

/// The position at the end of the main line, with the names of the players.
fn epd(record: &Record) -> String {
    let mut position = record.start().clone();
    for mv in record.moves() {
        position.make(mv);
    }
    let fen = position.to_fen();
    let mut line: String = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let names = [record.tag("Red"), record.tag("Black")].map(Option::unwrap_or_default);
    if names != ["", ""] {
        let names = names.join(" - ").replace(['"', ';'], "'");
        line += &format!(" id \"{names}\";");
    }
    line + "\n"
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL
            .into_iter()
            .find(|target| target.name() == text.to_ascii_lowercase());
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("'{text}' is none of {names}")
        })
    }
}
