//! A line of bytes as words.
//!
//! Lines are bytes, not UTF-8: Windows clients send paths and remarks in GBK.
//! Words are split at blanks and tabs; keywords are compared as ASCII, and what
//! is not ASCII passes through as bytes.

/// Splits a line into words, one after the other, and can hand out the rest of
/// the line as it is.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Self { rest: line }
    }

    /// The next word, without taking it.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// Takes the next word if it is this keyword, in any case.
    pub(super) fn accept(&mut self, keyword: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.next().is_some_and(|word| is_keyword(word, keyword));
        if found {
            *self = ahead;
        }
        found
    }

    /// The rest of the line without blanks around it.
    pub(super) fn rest(&self) -> &'a [u8] {
        let start = self.rest.iter().position(|&byte| !is_blank(byte));
        let end = self.rest.iter().rposition(|&byte| !is_blank(byte));
        match (start, end) {
            (Some(start), Some(end)) => &self.rest[start..=end],
            _ => &[],
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&byte| !is_blank(byte))?;
        let rest = &self.rest[start..];
        let len = rest.iter().position(|&byte| is_blank(byte));
        let (word, rest) = rest.split_at(len.unwrap_or(rest.len()));
        self.rest = rest;
        Some(word)
    }
}

/// Whether the word is this keyword, in any case.
pub(super) fn is_keyword(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// The word as text; what is not UTF-8 is replaced.
pub(super) fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

/// The words as text with single blanks between them.
pub(super) fn joined<'a>(words: impl Iterator<Item = &'a [u8]>) -> String {
    let mut joined = String::new();
    for word in words {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&String::from_utf8_lossy(word));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_rest() {
        let mut words = Words::new(b" SetOption\t bookfiles   C:\\my books\\\xcf\xf3.dat \r");
        assert!(!words.accept("position") && words.accept("setoption"));
        assert_eq!(words.peek(), Some(&b"bookfiles"[..]));
        assert_eq!(words.next(), Some(&b"bookfiles"[..]));
        assert_eq!(words.rest(), b"C:\\my books\\\xcf\xf3.dat");
        assert_eq!(words.by_ref().count(), 2);
        assert_eq!((words.next(), words.rest()), (None, &b""[..]));
    }
}
