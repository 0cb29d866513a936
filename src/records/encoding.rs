//! Which encoding a text file is in, and from and to it.
//!
//! A byte order mark decides; else valid UTF-8 is UTF-8, since text in the other
//! encodings hardly ever looks like it. GB18030 and Big5 both accept nearly any
//! pair of bytes, so they are told apart by how common the characters are: each
//! has a first plane of the few thousand usual ones, and text read in the wrong
//! encoding falls outside half of the time. The words of move text count double.

use super::RecordError;
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::fmt;

/// An encoding of Chinese text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, with or without a byte order mark; plain ASCII too.
    Utf8,
    /// UTF-16, low byte first, with a byte order mark.
    Utf16Le,
    /// UTF-16, high byte first, with a byte order mark.
    Utf16Be,
    /// GB18030, which contains GBK and GB2312.
    Gb18030,
    /// Big5.
    Big5,
}

impl TextEncoding {
    /// Its usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Gb18030 => "GB18030",
            Self::Big5 => "Big5",
        }
    }

    fn codec(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
            Self::Gb18030 => GB18030,
            Self::Big5 => BIG5,
        }
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One malformed sequence is borne for this many characters beyond ASCII: a
/// damaged name does not make a record unreadable.
const CHARACTERS_PER_FAULT: usize = 16;

/// Decodes text in whatever encoding it is.
///
/// # Errors
/// If it is in none of [`TextEncoding`].
pub fn decode(bytes: &[u8]) -> Result<(String, TextEncoding), RecordError> {
    let encoding = detect(bytes).ok_or(RecordError::Encoding)?;
    let (text, _) = encoding.codec().decode_with_bom_removal(bytes);
    Ok((text.into_owned(), encoding))
}

/// Encodes text.
///
/// # Errors
/// Names the first character that the encoding lacks.
pub fn encode(text: &str, encoding: TextEncoding) -> Result<Vec<u8>, RecordError> {
    let wide = |unit: fn(u16) -> [u8; 2]| {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(unit).collect()
    };
    match encoding {
        TextEncoding::Utf16Le => Ok(wide(u16::to_le_bytes)),
        TextEncoding::Utf16Be => Ok(wide(u16::to_be_bytes)),
        _ => {
            let codec = encoding.codec();
            let (bytes, _, has_unmappable) = codec.encode(text);
            if !has_unmappable {
                return Ok(bytes.into_owned());
            }
            let lacks = |c: &char| codec.encode(c.encode_utf8(&mut [0; 4])).2;
            let problem = match text.chars().find(lacks) {
                Some(character) => format!("there is no '{character}'"),
                None => "a character is missing".to_owned(),
            };
            let format = encoding.name();
            Err(RecordError::NotStorable { format, problem })
        }
    }
}

/// Text of a fixed-length or counted field, which is GB18030 in every binary
/// format. What is malformed becomes a replacement character.
pub(super) fn from_gb18030(bytes: &[u8]) -> String {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    GB18030
        .decode_without_bom_handling(&bytes[..end])
        .0
        .trim()
        .to_owned()
}

fn detect(bytes: &[u8]) -> Option<TextEncoding> {
    match Encoding::for_bom(bytes) {
        Some((codec, _)) if codec == UTF_16LE => return Some(TextEncoding::Utf16Le),
        Some((codec, _)) if codec == UTF_16BE => return Some(TextEncoding::Utf16Be),
        Some(_) => return Some(TextEncoding::Utf8),
        None => {}
    }
    if bytes.contains(&0) {
        return None;
    }
    let mut valid = 0;
    let mut faults = 0;
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        faults += usize::from(!chunk.invalid().is_empty());
    }
    // Other encodings give next to no valid sequence, so a few are enough.
    if faults * 4 <= valid {
        return Some(TextEncoding::Utf8);
    }
    let gb18030 = Census::of_gb18030(bytes);
    let big5 = Census::of_big5(bytes);
    let (census, encoding) = if big5.score() > gb18030.score() {
        (big5, TextEncoding::Big5)
    } else {
        (gb18030, TextEncoding::Gb18030)
    };
    let is_text = census.faults * CHARACTERS_PER_FAULT <= census.common + census.rare;
    is_text.then_some(encoding)
}

/// The characters of a text read in some encoding.
#[derive(Default)]
struct Census {
    common: usize,
    rare: usize,
    /// Among the common ones, those of move text.
    words: usize,
    faults: usize,
}

/// The signs of Chinese move text that differ between the two encodings.
const WORDS: &str = "车車马馬炮砲兵卒仕士相象帅帥将將进進退平前后後一二三四五六七八九";

impl Census {
    fn score(&self) -> i64 {
        let weigh = |count: usize, weight: i64| count as i64 * weight;
        weigh(self.common, 1) + weigh(self.words, 2) - weigh(self.rare, 1) - weigh(self.faults, 8)
    }

    /// GB2312 level 1 (lead B0-D7, trail from A1) is common, its symbols count
    /// for nothing, everything else is rare.
    fn of_gb18030(bytes: &[u8]) -> Self {
        Self::count(bytes, GB18030, |lead, trail| match (lead, trail) {
            (0xb0..=0xd7, 0xa1..) => Some(true),
            (0xa1..=0xa9, 0xa1..) => None,
            _ => Some(false),
        })
    }

    /// Big5 level 1 has lead bytes A4 to C6, symbols have A1 to A3.
    fn of_big5(bytes: &[u8]) -> Self {
        Self::count(bytes, BIG5, |lead, _| match lead {
            0xa4..=0xc6 => Some(true),
            0xa1..=0xa3 => None,
            _ => Some(false),
        })
    }

    fn count(
        bytes: &[u8],
        codec: &'static Encoding,
        is_common: impl Fn(u8, u8) -> Option<bool>,
    ) -> Self {
        let mut census = Self::default();
        let mut rest = bytes.iter();
        while let Some(&lead) = rest.next() {
            if lead < 0x80 {
                continue;
            }
            match rest.next().and_then(|&trail| is_common(lead, trail)) {
                Some(true) => census.common += 1,
                Some(false) => census.rare += 1,
                None => {}
            }
        }
        let text = codec.decode_without_bom_handling(bytes).0;
        for character in text.chars().filter(|c| !c.is_ascii()) {
            census.faults += usize::from(character == char::REPLACEMENT_CHARACTER);
            census.words += usize::from(WORDS.contains(character));
        }
        census
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_recognised_in_every_encoding() {
        use TextEncoding::{Big5, Gb18030, Utf8, Utf16Be, Utf16Le};
        for (text, encodings) in [
            (
                "[Event \"全国象棋个人锦标赛\"]\n炮二平五 马８进７",
                &[Utf8, Utf16Le, Utf16Be, Gb18030][..],
            ),
            (
                "[Event \"全國象棋個人錦標賽\"]\n炮二平五 馬８進７",
                &[Utf8, Utf16Le, Utf16Be, Gb18030, Big5],
            ),
            ("[Red \"胡荣华\"][Black \"杨官璘\"]", &[Utf8, Gb18030]),
            ("[Red \"胡榮華\"][Black \"楊官璘\"]", &[Utf8, Big5]),
            ("plain ASCII", &[Utf8]),
        ] {
            for &encoding in encodings {
                let bytes = encode(text, encoding).unwrap();
                assert_eq!(decode(&bytes), Ok((text.to_owned(), encoding)));
            }
        }
    }

    #[test]
    fn a_cut_character_does_not_spoil_the_rest() {
        let text = "[Event \"全国象棋个人锦标赛\"]";
        assert_eq!(
            decode(&text.as_bytes()[..text.len() - 3]).unwrap().1,
            TextEncoding::Utf8
        );
    }

    #[test]
    fn what_is_not_text_is_an_error() {
        assert_eq!(decode(b"\x00\x01\x02"), Err(RecordError::Encoding));
        let noise: Vec<u8> = (0..4000u32).map(|i| ((i * i) >> 3) as u8 | 1).collect();
        assert_eq!(decode(&noise), Err(RecordError::Encoding));
        let error = encode("马８进７", TextEncoding::Big5).unwrap_err();
        assert!(error.to_string().contains('马'), "{error}");
    }
}
