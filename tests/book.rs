//! Opening books: keys and forms against the vectors of `tests/data/book`, the
//! book that ships against its source, and books through every format.

use chuhe::opening::{BUILT_IN, Book, Collection, Counts, DatBook, Lock, Weighted, obk_key};
use chuhe::position::Position;
use chuhe::types::Move;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A row of the vectors.
struct Vector {
    position: Position,
    lock: Lock,
    mirror_lock1: u32,
    form: String,
    obk_key: u64,
    obk_key_signed: i64,
    obk_key_of_mirror: u64,
    moves: BTreeMap<Move, i32>,
}

fn vectors() -> Vec<Vector> {
    let text = fs::read_to_string(path("tests/data/book/key-vectors.tsv")).expect("the vectors");
    let word = |text: &str| u32::from_str_radix(text, 16).expect("eight digits");
    let key = |text: &str| u64::from_str_radix(text, 16).expect("sixteen digits");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let row: Vec<&str> = line.split('\t').collect();
        let moves = row[9].split(' ').filter(|word| *word != "-");
        let moves = moves.map(|word| {
            let (mv, weight) = word.split_once(':').expect("move:weight");
            (
                mv.parse().expect("a move"),
                weight.parse().expect("a number"),
            )
        });
        Vector {
            position: Position::from_fen(row[0]).expect("a position"),
            lock: Lock {
                lock1: word(row[1]),
                lock0: word(row[2]),
                key: word(row[3]),
            },
            mirror_lock1: word(row[4]),
            form: row[5].to_owned(),
            obk_key: key(row[6]),
            obk_key_signed: row[7].parse().expect("a number"),
            obk_key_of_mirror: key(row[8]),
            moves: moves.collect(),
        }
    })
    .collect()
}

#[test]
fn all_keys_are_those_of_other_programs() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 121);
    for vector in &vectors {
        let fen = vector.position.to_fen();
        assert_eq!(Lock::of(&vector.position), vector.lock, "{fen}");
        let mirror = Lock::of_mirror(&vector.position);
        assert_eq!(mirror.lock1, vector.mirror_lock1, "{fen}");
        let mirrored = vector.position.mirror_files();
        assert_eq!(Lock::of(&mirrored), mirror, "{fen}");
        assert_eq!(obk_key(&vector.position), vector.obk_key, "{fen}");
        assert_eq!(
            obk_key(&vector.position) as i64,
            vector.obk_key_signed,
            "{fen}"
        );
        assert_eq!(obk_key(&mirrored), vector.obk_key_of_mirror, "{fen}");
    }
}

/// The moves of the vectors as a collection; where a position is symmetric, adding
/// one of two mirrored moves adds both.
fn collection() -> Collection {
    let mut collection = Collection::default();
    for Vector {
        position,
        moves,
        form,
        ..
    } in vectors()
    {
        for (&mv, &weight) in &moves {
            if form != "symmetric" || mv <= mv.mirror_file() {
                let counts = Counts::default();
                collection.add(&position, mv, Weighted { weight, counts });
            }
        }
    }
    collection
}

#[test]
fn the_stored_form_is_the_one_of_the_format() {
    let book = DatBook::of(&collection());
    let bytes = book.write();
    let locks: Vec<u32> = bytes
        .chunks(8)
        .map(|record| u32::from_le_bytes(record[..4].try_into().expect("four bytes")))
        .collect();
    assert!(locks.is_sorted());
    let mut known = 0;
    for vector in vectors() {
        let fen = vector.position.to_fen();
        let moves = book.moves(&vector.position);
        assert!(moves.is_sorted_by_key(|known| std::cmp::Reverse(known.weight)));
        let found: BTreeMap<Move, i32> = moves.iter().map(|k| (k.mv, k.weight)).collect();
        assert_eq!(found, vector.moves, "{fen}");
        let stored = match vector.form.as_str() {
            "mirror" => vector.mirror_lock1,
            _ => vector.lock.lock1,
        };
        assert_eq!(locks.contains(&stored), !vector.moves.is_empty(), "{fen}");
        known += usize::from(!vector.moves.is_empty());
    }
    assert!(known > 30, "{known} positions with moves");
    assert_eq!(DatBook::read(&bytes), Ok(book));
}

#[test]
fn a_book_survives_its_text() {
    let book = DatBook::of(&collection());
    let text = Collection::of_dat(&book).write_text("a remark");
    let again = Collection::read_text(&text).expect("our own text");
    assert_eq!(DatBook::of(&again).write(), book.write());
    assert_eq!(
        Collection::of_dat(&DatBook::of(&again)).write_text("a remark"),
        text
    );
}

/// `cargo run -- book convert book/opening/chuhe.txt book/opening/chuhe.dat` makes
/// the one from the other.
#[test]
fn the_book_that_ships_is_its_source() {
    let text = fs::read_to_string(path("book/opening/chuhe.txt")).expect("the source");
    let source = Collection::read_text(&text).expect("a book text");
    assert!(
        DatBook::of(&source).write() == BUILT_IN,
        "the book is out of date"
    );
    assert!(BUILT_IN.len() < 2_000_000);
    let book = DatBook::read(BUILT_IN).expect("sound");
    assert_eq!(book.len(), source.size().1);
    for entry in source.entries() {
        let mirror = entry.position.mirror_files();
        let moves = book.moves(&entry.position);
        assert_eq!(
            moves.len(),
            entry.moves.len(),
            "{}",
            entry.position.to_fen()
        );
        assert_eq!(book.moves(&mirror).len(), moves.len());
    }
}

#[test]
fn damaged_books_are_errors_of_one_line() {
    let folder = std::env::temp_dir().join(format!("chuhe-books-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("book.dat");
    let open = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("written");
        Book::open(&file)
    };
    assert!(open(BUILT_IN).is_ok());
    for length in [0, 1, 7, 9, BUILT_IN.len() - 1] {
        let error = open(&BUILT_IN[..length]).expect_err("cut off").to_string();
        assert!(!error.contains('\n') && error.len() < 200, "{error}");
    }
    let noise: Vec<u8> = (0..4_000u32)
        .map(|i| (i.wrapping_mul(i) >> 3) as u8)
        .collect();
    assert!(open(&noise).is_err());
    assert!(open("[Event \"a game\"]\n".as_bytes()).is_err());
    if cfg!(not(feature = "obk")) {
        let error = open(b"SQLite format 3\0").expect_err("no SQLite");
        assert!(error.to_string().contains("cargo feature 'obk'"), "{error}");
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[cfg(feature = "obk")]
mod sqlite {
    use super::*;
    use rusqlite::{Connection, params};

    fn file(name: &str) -> PathBuf {
        let name = format!("chuhe-{name}-{}", std::process::id());
        let file = std::env::temp_dir().join(name);
        let _ = fs::remove_file(&file);
        file
    }

    #[test]
    fn a_database_that_we_write_is_read() {
        let file = file("written.obk");
        collection().write_obk(&file).expect("written");
        let before = fs::read(&file).expect("there");
        let book = Book::open(&file).expect("a book");
        for vector in vectors() {
            for position in [vector.position.clone(), vector.position.mirror_files()] {
                let found = book.moves(&position).expect("asked");
                assert_eq!(found.len(), vector.moves.len(), "{}", position.to_fen());
            }
            let found = book.moves(&vector.position).expect("asked");
            let found: BTreeMap<Move, i32> = found.iter().map(|k| (k.mv, k.weight)).collect();
            assert_eq!(found, vector.moves);
        }
        drop(book);
        assert!(
            fs::read(&file).expect("there") == before,
            "the file was changed"
        );
        fs::remove_file(file).expect("removed");
    }

    /// Keys with the top bit set occur as integers and as real numbers of the same
    /// bits; rows that are not valid do not count.
    #[test]
    fn databases_of_other_programs_are_read() {
        let mut position = Position::start();
        position.make("h2e2".parse().expect("a move"));
        let key = obk_key(&position);
        assert!((key as i64) < 0);
        for table in ["bhobk", "pfBook"] {
            for is_real in [false, true] {
                let file = file("foreign.obk");
                let connection = Connection::open(&file).expect("created");
                connection
                    .execute_batch(&format!(
                        "CREATE TABLE {table}(id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, \
                         vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, \
                         vvalid INTEGER, vmemo BLOB, vindex INTEGER)"
                    ))
                    .expect("a table");
                // h9g7 is 0x3A to 0x59; b9c7 0x34 to 0x55, not valid.
                let insert = format!(
                    "INSERT INTO {table}(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) \
                     VALUES (?1, ?2, 12, 3, 2, 1, ?3)"
                );
                for (mv, valid) in [(0x3a59, 1), (0x3455, 0), (0x0000, 1), (-7, 1)] {
                    let result = if is_real {
                        connection.execute(&insert, params![f64::from_bits(key), mv, valid])
                    } else {
                        connection.execute(&insert, params![key as i64, mv, valid])
                    };
                    result.expect("inserted");
                }
                connection.close().expect("closed");
                let book = Book::open(&file).expect("a book");
                let moves = book.moves(&position).expect("asked");
                assert_eq!(moves.len(), 1, "{table} {is_real} {moves:?}");
                assert_eq!(
                    (moves[0].mv.to_string().as_str(), moves[0].weight),
                    ("h9g7", 12)
                );
                assert_eq!(moves[0].counts.map(|counts| counts.games()), Some(6));
                let mirrored = book.moves(&position.mirror_files()).expect("asked");
                assert_eq!(mirrored[0].mv.to_string(), "b9c7");
                drop(book);
                fs::remove_file(file).expect("removed");
            }
        }
    }

    /// A database has no stored form; what is made of it has. Only positions that
    /// its own moves lead to are found in it.
    #[test]
    fn a_database_becomes_the_book_it_was_made_of() {
        let file = file("there-and-back.obk");
        let source = Collection::of_dat(&DatBook::read(BUILT_IN).expect("sound"));
        source.write_obk(&file).expect("written");
        let again = Collection::open(&file).expect("a book");
        fs::remove_file(file).expect("removed");
        for entry in again.entries() {
            let words = |lock: Lock| (lock.lock1, lock.lock0);
            let own = words(Lock::of(&entry.position));
            let mirror = words(Lock::of_mirror(&entry.position));
            let fen = entry.position.to_fen();
            assert!(own <= mirror, "{fen}");
            assert_eq!(source.find(&entry.position), Some(entry), "{fen}");
        }
        let (found, all) = (again.size().0, source.size().0);
        assert!(2 * found > all, "{found} of {all}");
    }

    #[test]
    fn a_database_without_a_book_is_named() {
        let file = file("other.obk");
        let connection = Connection::open(&file).expect("created");
        connection
            .execute_batch("CREATE TABLE x(y)")
            .expect("a table");
        connection.close().expect("closed");
        let error = Book::open(&file).expect_err("no book");
        assert!(error.to_string().contains("no table bhobk"), "{error}");
        fs::remove_file(file).expect("removed");
    }
}
