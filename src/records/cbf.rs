//! CBF, the XML form of CCBridge (`.cbf`). Read only, and only the main line: no
//! description of more is known.
//!
//! ```text
//! <Head> ... <FEN>...</FEN> </Head>
//! <MoveList> <Move value="00-00"/> <Move value="77-74"/> ... </MoveList>
//! ```
//! Points are those of DhtmlXQ. The first element is no move. Text inside an
//! element is the comment on it.

use super::{NodeId, Record, RecordError, Tree, dhtmlxq};
use crate::position::Position;
use crate::types::Move;

/// Names in the head and the tags they become.
const TAGS: [(&str, &str); 4] = [
    ("Title", "Title"),
    ("Event", "Event"),
    ("Red", "Red"),
    ("Black", "Black"),
];

/// Whether a text is of this form.
pub(super) fn is_cbf(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && text.contains("<MoveList")
}

/// Reads a game.
///
/// # Errors
/// If the start position is none or the text ends inside the list of moves.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let cut = || RecordError::Truncated("the list of moves".to_owned());
    let (head, list) = text.split_once("<MoveList").ok_or_else(cut)?;
    let list = &list[..list.find("</MoveList>").ok_or_else(cut)?];
    let start = match element(head, "FEN") {
        Some(fen) if !fen.is_empty() => Position::from_fen(&fen)?,
        _ => Position::start(),
    };
    let mut tree = Tree::default();
    let mut node = NodeId::ROOT;
    for (index, part) in list.split("<Move").skip(1).enumerate() {
        let value = attribute(part, "value").unwrap_or_default();
        if index > 0 {
            node = tree.add(node, read_move(value));
        }
        let comment = part.split_once('>').map_or("", |(_, rest)| rest);
        let comment = comment.split('<').next().unwrap_or_default();
        tree.set_comment(node, unescape(comment.trim()));
    }
    let mut record = Record::from_draft(start, tree);
    for (name, tag) in TAGS {
        if let Some(value) = element(head, name).filter(|value| !value.is_empty()) {
            record.set_tag(tag, &value);
        }
    }
    Ok(record)
}

fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (value, _) = rest.split_once(&format!("</{name}>"))?;
    Some(unescape(value.trim()))
}

/// The value of an attribute inside the tag that begins the text.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let tag = text.split('>').next()?;
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

fn read_move(value: &str) -> Result<Move, String> {
    let point = |pair: &str| dhtmlxq::point(pair.as_bytes().try_into().ok()?);
    let points = value
        .split_once('-')
        .and_then(|(from, to)| Move::checked(point(from)?, point(to)?));
    points.ok_or_else(|| value.to_owned())
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord>\n\
        <Head><Title>a &amp; b</Title><FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN></Head>\n\
        <MoveList><Move value=\"00-00\">开局</Move><Move value=\"77-47\"/>\
        <Move value=\"70-62\">马</Move></MoveList></ChineseChessRecord>";

    #[test]
    fn the_main_line_is_read() {
        assert!(is_cbf(GAME));
        let record = read(GAME).unwrap();
        let moves: Vec<String> = record.moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h2e2", "h9g7"]);
        assert_eq!(record.tag("Title"), Some("a & b"));
        let tree = record.tree();
        assert_eq!(tree.comment(NodeId::ROOT), "开局");
        let last = tree.line(NodeId::ROOT).last().unwrap();
        assert_eq!(tree.comment(last), "马");
    }

    #[test]
    fn damage_is_named() {
        let open = &GAME[..GAME.len() - 60];
        let error = read(open).unwrap_err();
        assert_eq!(error.to_string(), "the file ends inside the list of moves");
        let record = read(&GAME.replace("70-62", "7x-62")).unwrap();
        assert_eq!(record.stopped_by().map(|stop| stop.ply), Some(2));
        assert!(read(&GAME.replace("RNBAKABNR w", "x")).is_err());
    }
}
