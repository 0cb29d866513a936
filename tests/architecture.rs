//! The house rules that a scan of the source can check: which room may name
//! which, the size of files, where `unsafe` and output live, no global state.
//!
//! The tables below are the rules. To break one, change it here in a commit
//! that says why; more often something lives in the wrong room.

#[path = "architecture/source.rs"]
mod source;

use source::Source;

/// Every room under `src`, in layer order, and what it may name besides itself.
const ROOMS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("attacks", &["types"]),
    ("position", &["types", "attacks"]),
    ("rules", &["types", "attacks", "position"]),
    ("eval", &["types", "attacks", "position"]),
    ("egtb", &["types", "attacks", "position"]),
    ("opening", &["types", "position"]),
    ("records", &["types", "attacks", "position"]),
    (
        "search",
        &["types", "attacks", "position", "rules", "eval", "egtb"],
    ),
    (
        "engine",
        &[
            "types", "attacks", "position", "rules", "eval", "egtb", "opening", "search",
        ],
    ),
    // Replies carry moves, scores and events.
    (
        "protocol",
        &["types", "position", "rules", "search", "engine"],
    ),
    (
        "tools",
        &[
            "types", "attacks", "position", "rules", "eval", "egtb", "opening", "records",
            "search", "engine", "protocol",
        ],
    ),
    (
        "cli",
        &[
            "types", "attacks", "position", "rules", "eval", "egtb", "opening", "records",
            "search", "engine", "protocol", "tools",
        ],
    ),
];

/// The crate roots: `lib.rs` lists the rooms, `main.rs` starts the command line.
const ROOTS: [&str; 2] = ["lib", "main"];

/// The most lines of a file, tests included.
const MAX_LINES: usize = 600;

/// Files (or folders, with a slash) that may use `unsafe`.
const UNSAFE: &[&str] = &[
    "position/perft.rs",
    "eval/nnue/simd/",
    "search/huge_pages.rs",
    "search/prefetch.rs",
    "tools/train/kernel.rs",
];

/// Files and rooms that may write to standard output.
const OUTPUT: &[&str] = &["protocol/driver.rs", "tools/", "cli.rs", "cli/", "main.rs"];

/// Names that stand for state of the whole program.
const GLOBAL: &[&str] = &["OnceLock", "LazyLock", "lazy_static", "once_cell"];

fn check(faults: impl Iterator<Item = String>) {
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

fn is_listed(source: &Source, places: &[&str]) -> bool {
    places.iter().any(|place| {
        *place == source.path || place.ends_with('/') && source.path.starts_with(place)
    })
}

#[test]
fn every_edge_points_down() {
    check(source::all().into_iter().flat_map(|source| {
        let mut faults = Vec::new();
        let allowed = ROOMS.iter().find(|(room, _)| *room == source.room);
        if allowed.is_none() && !ROOTS.contains(&source.room.as_str()) {
            faults.push(format!(
                "{}: '{}' is no room of the table",
                source.path, source.room
            ));
        }
        if let Some((_, allowed)) = allowed {
            for (line, target) in source.edges() {
                if target != source.room && !allowed.contains(&target.as_str()) {
                    let (path, room) = (&source.path, &source.room);
                    faults.push(format!("{path}:{line}: {room} may not name {target}"));
                }
            }
        }
        faults
    }));
}

#[test]
fn the_table_itself_points_down() {
    for (index, (room, allowed)) in ROOMS.iter().enumerate() {
        for target in *allowed {
            let below = ROOMS[..index].iter().any(|(name, _)| name == target);
            assert!(below, "{room} names {target}, which is not below it");
        }
    }
}

#[test]
fn files_are_small_and_say_what_they_are() {
    check(source::all().into_iter().flat_map(|source| {
        let lines = source.text.lines().count();
        let too_long = (lines > MAX_LINES)
            .then(|| format!("{}: {lines} lines, more than {MAX_LINES}", source.path));
        let mute = (!source.text.starts_with("//!"))
            .then(|| format!("{}: does not start with //!", source.path));
        too_long.into_iter().chain(mute)
    }));
}

/// One fault for each place outside the listed files where the predicate
/// accepts the words and signs from there on.
fn forbid(places: &[&str], what: &str, accept: impl Fn(&[&str]) -> bool) {
    let sources = source::all().into_iter();
    check(
        sources
            .filter(|source| !is_listed(source, places))
            .flat_map(|source| {
                let lines = source.lines_of(&accept).into_iter();
                lines.map(move |line| format!("{}:{line}: {what}", source.path))
            }),
    );
}

#[test]
fn unsafe_has_an_address() {
    forbid(UNSAFE, "unsafe", |words| {
        ["unsafe", "unsafe_code"].contains(&words[0])
    });
}

#[test]
fn no_global_mutable_state() {
    forbid(&[], "global state", |words| GLOBAL.contains(&words[0]));
    forbid(&[], "static mut", |words| {
        words.starts_with(&["static", "mut"])
    });
    // `static NAME: Mutex<..> = ..`: what stands between colon and equals sign.
    forbid(&[], "shared state", |words| {
        let kind = words.iter().skip(3).take_while(|word| **word != "=");
        words[0] == "static"
            && words.get(2) == Some(&":")
            && kind.into_iter().any(|word| {
                let is_lock = ["Mutex", "RwLock"].contains(word);
                is_lock || word.starts_with("Atomic") || word.ends_with("Cell")
            })
    });
}

#[test]
fn only_the_driver_and_the_tools_print() {
    forbid(OUTPUT, "writes to standard output", |words| {
        let is_macro = words.get(1) == Some(&"!");
        words[0] == "stdout" || is_macro && ["print", "println", "dbg"].contains(&words[0])
    });
}
