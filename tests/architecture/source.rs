//! Rust source as far as the house rules need it: words and signs without
//! comments and literals, and the rooms that its paths name.

use std::fs;
use std::path::Path;

/// A file under `src`.
pub(crate) struct Source {
    /// Relative to `src`, with slashes.
    pub(crate) path: String,
    /// The folder, or file, directly under `src`.
    pub(crate) room: String,
    pub(crate) text: String,
    /// How deep its module lies below the crate root.
    depth: usize,
    tokens: Vec<(usize, String)>,
}

/// All files under `src`.
pub(crate) fn all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("source is UTF-8 text");
                let inside = path.strip_prefix(&root).expect("found below it");
                let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                sources.push(Source::new(parts.join("/"), text));
            }
        }
    }
    assert!(sources.len() > 20, "the whole of src is scanned");
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

impl Source {
    fn new(path: String, text: String) -> Self {
        let module = path.trim_end_matches(".rs");
        let module = module.strip_suffix("/mod").unwrap_or(module);
        let is_root = ["lib", "main"].contains(&module);
        Self {
            room: module.split('/').next().unwrap_or_default().to_owned(),
            depth: if is_root {
                0
            } else {
                module.split('/').count()
            },
            tokens: tokens(&text),
            path,
            text,
        }
    }

    /// The lines where the predicate accepts the words and signs from there on.
    pub(crate) fn lines_of(&self, accept: impl Fn(&[&str]) -> bool) -> Vec<usize> {
        let words = self.words();
        let hits = (0..words.len()).filter(|&at| accept(&words[at..]));
        hits.map(|at| self.tokens[at].0).collect()
    }

    fn words(&self) -> Vec<&str> {
        self.tokens.iter().map(|(_, word)| word.as_str()).collect()
    }

    /// What follows the crate root in every path that goes there: `crate::`,
    /// `chuhe::`, or as many `super::` as the module is deep.
    pub(crate) fn edges(&self) -> Vec<(usize, String)> {
        let words = self.words();
        let mut edges = Vec::new();
        // For each open brace, whether it is a module's.
        let mut braces = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let line = self.tokens[at].0;
            let depth = self.depth + braces.iter().filter(|is_module| **is_module).count();
            let mut supers = 0;
            while words[at] == "super" && words.get(at + 1) == Some(&"::") {
                supers += 1;
                at += 2;
            }
            let crosses_root = ["crate", "chuhe"].contains(&words[at]);
            if supers > 0 && supers >= depth {
                edges.extend(heads(&words[at..]).into_iter().map(|head| (line, head)));
            } else if crosses_root && words.get(at + 1) == Some(&"::") {
                edges.extend(heads(&words[at + 2..]).into_iter().map(|head| (line, head)));
            } else if words[at] == "crate" && words.get(at + 1) == Some(&"as") {
                edges.push((line, "the whole crate".to_owned()));
            }
            match words[at] {
                "{" => braces.push(at >= 2 && words[at - 2] == "mod"),
                "}" => {
                    braces.pop();
                }
                _ => {}
            }
            at += 1;
        }
        edges
    }
}

/// The first names of a path or of a group of paths: `a::b` gives a,
/// `{a::{b, c}, d}` gives a and d.
fn heads(words: &[&str]) -> Vec<String> {
    let mut heads = Vec::new();
    if words[0] == "{" {
        let mut depth = 0;
        for pair in words.windows(2) {
            match pair[0] {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if depth == 1 && ["{", ","].contains(&pair[0]) && pair[1] != "}" {
                heads.push(pair[1].to_owned());
            }
        }
    } else {
        heads.push(words[0].to_owned());
    }
    heads
}

/// Words, `::` and single signs with their lines; no comments, no literals.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            1 + quoted(&rest[1..], '"')
        } else if first == '\'' {
            char_or_lifetime(rest)
        } else if is_word(first) {
            let length = word(rest);
            tokens.push((line, rest[..length].to_owned()));
            length
        } else if rest.starts_with("::") {
            tokens.push((line, "::".to_owned()));
            2
        } else {
            if !first.is_whitespace() {
                tokens.push((line, first.to_string()));
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the word at the start.
fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    for (at, _) in text.char_indices() {
        if text[at..].starts_with("/*") {
            depth += 1;
        } else if text[..at].ends_with("*/") && at > 3 {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    text.len()
}

/// The length of a raw string, if one starts here.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        text.strip_prefix(prefix)
            .is_some_and(|t| t.starts_with(['"', '#']))
    })?;
    let hashes = text[prefix.len()..].find(|c| c != '#')?;
    let open = prefix.len() + hashes;
    let body = text[open..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(open + 1 + body.find(&end)? + end.len())
}

/// The length of quoted text from after the opening quote, closing one included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn char_or_lifetime(text: &str) -> usize {
    let mut chars = text[1..].chars();
    let is_char = chars.next() == Some('\\') || chars.next() == Some('\'');
    if is_char {
        1 + quoted(&text[1..], '\'')
    } else {
        1 + word(&text[1..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(path: &str, text: &str) -> Vec<(usize, String)> {
        Source::new(path.to_owned(), text.to_owned()).edges()
    }

    #[test]
    fn paths_to_the_root_are_found() {
        let text = r##"
            // crate::comment /* crate::comment */
            /* crate::comment /* nested */ crate::comment */
            use crate::a::b::{c, d};
            use crate::{e, f::{g, self}, h::*};
            use super::super::i::j;
            pub(crate) fn k(x: &'static str) -> crate::l { chuhe::m::n() }
            const O: &str = "crate::string \" crate::string";
            const P: &str = r#"crate::string " crate::string"#;
            const Q: [char; 3] = ['"', '\'', '\\'];
            mod r { use super::super::s; use super::super::super::t; }
            use super::u;
        "##;
        let found = edges("room/file.rs", text);
        let names: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["a", "e", "f", "h", "i", "l", "m", "t"]);
        assert_eq!(found[0].0, 4);
        assert_eq!(edges("room/mod.rs", "use super::other;").len(), 1);
        assert_eq!(edges("room.rs", "use super::other;").len(), 1);
        assert_eq!(edges("room/a/b.rs", "use super::super::other;").len(), 0);
        assert_eq!(edges("room/a/mod.rs", "use super::super::other;").len(), 1);
    }
}
