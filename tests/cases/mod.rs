//! The files of move counts in `tests/data`, and the one parser for them.
//!
//! Read by the perft test and by the unit tests of the position room, which
//! include this file by its path. It knows no type of the engine.
//!
//! ```text
//! FEN ; D1 count ; D2 count ; # note
//! ```

#![allow(dead_code)] // each of the tests that include this uses a part of it

/// Positions of all kinds.
pub(crate) const PERFT: &str = include_str!("../data/perft.txt");
/// The cases of the legality walk, each in its smallest position.
pub(crate) const LEGALITY: &str = include_str!("../data/legality.txt");

/// One line of a file.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The position.
    pub(crate) fen: &'static str,
    /// Depth and number of move sequences, shallow first.
    pub(crate) counts: Vec<(u32, u64)>,
    /// What the position is there for.
    pub(crate) note: &'static str,
}

/// The cases of both files.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = parse(LEGALITY);
    cases.extend(parse(PERFT));
    cases
}

/// The cases of a file. Panics on a malformed line: the files are ours.
pub(crate) fn parse(text: &'static str) -> Vec<Case> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(parse_line)
        .collect()
}

fn parse_line(line: &'static str) -> Case {
    let mut fields = line.split(';').map(str::trim);
    let mut case = Case {
        fen: fields.next().expect("a split has a first part"),
        counts: Vec::new(),
        note: "",
    };
    for field in fields {
        if let Some(note) = field.strip_prefix('#') {
            case.note = note.trim();
        } else {
            let count = parse_count(field);
            case.counts
                .push(count.unwrap_or_else(|| panic!("'{field}' is no count in: {line}")));
        }
    }
    case
}

fn parse_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, count.parse().ok()?))
}
