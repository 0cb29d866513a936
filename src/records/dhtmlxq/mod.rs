//! DhtmlXQ, also called UBB: the text form of the servers and forums.
//!
//! ```text
//! [DhtmlXQ]
//! [DhtmlXQ_title]...[/DhtmlXQ_title]            also event, date, red, black, ...
//! [DhtmlXQ_binit]0919...[/DhtmlXQ_binit]        32 men, two digits each, 99 = not there
//! [DhtmlXQ_movelist]774770...[/DhtmlXQ_movelist]    four digits a move
//! [DhtmlXQ_move_P_K_B]...[/DhtmlXQ_move_P_K_B]  branch B replaces ply K of branch P
//! [DhtmlXQ_commentK]  [DhtmlXQ_commentB_K]      of ply K of the main line, of branch B
//! [/DhtmlXQ]
//! ```
//! A point is file 0 to 8, then the rank counted from Black's side. Plies count
//! from the start of the game, from 1; comment 0 is on the game. Branch 0 is the
//! main line. A line break in a comment is `||`.

mod read;
mod write;

pub(super) use read::point;
pub use read::read;
pub use write::write;

/// Names of the format and the tags they become.
const TAGS: [(&str, &str); 13] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("remark", "Remark"),
    ("author", "Author"),
    ("open", "Opening"),
    ("class", "Class"),
];

/// Names that are not kept: contents of their own, or how to show the board.
const CONSUMED: [&str; 5] = ["ver", "init", "binit", "movelist", "result"];

/// What a field begins with.
const OPENING_MARK: &str = "[DhtmlXQ_";

/// Splits text into games; each comes with the number of its first line.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let starts: Vec<usize> = text.match_indices("[DhtmlXQ]").map(|(at, _)| at).collect();
    if starts.len() < 2 {
        return vec![(1, text)];
    }
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let mut line = 1;
    let mut counted = 0;
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| {
            line += text[counted..start].matches('\n').count();
            counted = start;
            (line, &text[start..end])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{NodeId, Record, RecordError};
    use super::*;
    use crate::position::Position;

    const START: &str = "0919293949596979891777062646668600102030405060708012720323436383";

    fn ubb(inner: &str) -> String {
        format!("[DhtmlXQ]\n{inner}\n[/DhtmlXQ]")
    }

    #[test]
    fn branches_hang_on_the_ply_they_replace() {
        let text = ubb("[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\
            [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1][DhtmlXQ_move_1_1_3]2625[/DhtmlXQ_move_1_1_3]\
            [DhtmlXQ_move_0_3_2]1927[/DhtmlXQ_move_0_3_2][DhtmlXQ_comment0]a||b[/DhtmlXQ_comment0]\
            [DhtmlXQ_comment1_2]same[/DhtmlXQ_comment1_2][DhtmlXQ_comment99]x[/DhtmlXQ_comment99]");
        let record = read(&text).unwrap();
        assert_eq!(record.moves().len(), 3);
        let tree = record.tree();
        assert_eq!(tree.comment(NodeId::ROOT), "a\nb");
        let first = tree.next(NodeId::ROOT).unwrap();
        let third = tree.alternative(first).unwrap();
        assert_eq!(tree.mv(third).unwrap().to_string(), "c3c4");
        let reply = tree.alternative(tree.next(first).unwrap()).unwrap();
        assert_eq!(tree.mv(reply).unwrap().to_string(), "h7e7");
        assert_eq!(tree.comment(reply), "same");
        assert_eq!(record.tree().move_count(), 6);
        assert_eq!(read(&write(&record).unwrap()).unwrap(), record);
    }

    #[test]
    fn damaged_fields_are_named() {
        for (inner, message) in [
            (
                "[DhtmlXQ_movelist]77477[/DhtmlXQ_movelist]",
                "the file ends inside movelist after ply 1",
            ),
            (
                "[DhtmlXQ_movelist]7747",
                "the file ends inside the field movelist",
            ),
            (
                "[DhtmlXQ_movelist]77x7[/DhtmlXQ_movelist]",
                "movelist: '77x7' is not all digits",
            ),
            (
                "[DhtmlXQ_binit]0919[/DhtmlXQ_binit]",
                "binit: '0919' is not 32 points of two digits",
            ),
            (
                "[DhtmlXQ_move_7_1_8]7747[/DhtmlXQ_move_7_1_8]",
                "variation 8 starts from a move that does not exist",
            ),
            (
                "[DhtmlXQ_move_8_1_8]7747[/DhtmlXQ_move_8_1_8]",
                "variation 8 starts from a move that does not exist",
            ),
            (
                "[DhtmlXQ_move_0_9_1]7747[/DhtmlXQ_move_0_9_1]",
                "variation 1 starts from a move that does not exist",
            ),
            ("", "the file ends inside the first field"),
        ] {
            assert_eq!(
                read(&ubb(inner)).unwrap_err().to_string(),
                message,
                "{inner}"
            );
        }
        let open = "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]";
        let error = read(open).unwrap_err();
        assert_eq!(error.to_string(), "the file ends inside the game");
        let two = START.replacen("19", "09", 1);
        let error = read(&ubb(&format!("[DhtmlXQ_binit]{two}[/DhtmlXQ_binit]"))).unwrap_err();
        assert_eq!(error.to_string(), "start position: two men on a0");
    }

    #[test]
    fn the_usual_start_is_written_in_the_usual_order() {
        let record = Record::from_moves(Position::start(), ["h2e2".parse().unwrap()]).unwrap();
        let text = write(&record).unwrap();
        assert!(
            text.contains(START) && text.contains("[DhtmlXQ_movelist]7747["),
            "{text}"
        );
        let black = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b").unwrap();
        assert!(matches!(
            write(&Record::new(black)),
            Err(RecordError::NotStorable { .. })
        ));
    }
}
