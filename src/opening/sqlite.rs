//! `.obk` and `.pfBook` books: SQLite databases with one table.
//!
//! ```text
//! bhobk(id, vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)
//! ```
//! A `.pfBook` has the same columns in a table of that name. The move is `from << 8
//! | to`, the other way round than in BOOK.DAT. There is no stored form: a position
//! and its mirror image are both looked up. Files are opened for reading only.

use super::lock::{Form, Lock};
use super::points;
use super::{BookError, BookMove, Collection, Counts, Weighted, obk_key};
use crate::position::Position;
use crate::types::Move;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Row, params};
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::time::Duration;

/// How long to wait while another program holds the file: the clock may run.
const BUSY: Duration = Duration::from_millis(50);

/// Tables that hold a book.
const TABLES: [&str; 2] = ["bhobk", "pfBook"];

impl From<rusqlite::Error> for BookError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}

/// An open database.
#[derive(Debug)]
pub(super) struct SqliteBook {
    connection: Connection,
    query: String,
}

impl SqliteBook {
    pub(super) fn open(path: &Path) -> Result<Self, BookError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY)?;
        let names: Vec<String> = {
            let query = "SELECT name FROM sqlite_master WHERE type = 'table'";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        let is_book = |name: &&&str| names.iter().any(|other| other.eq_ignore_ascii_case(name));
        let table = TABLES.iter().find(is_book).ok_or_else(|| {
            BookError::Foreign("the database has no table bhobk or pfBook".to_owned())
        })?;
        let query = format!(
            "SELECT vmove, vscore, vwin, vdraw, vlost FROM {table} \
             WHERE (vkey = ?1 OR vkey = ?2) AND vvalid = 1"
        );
        Ok(Self { connection, query })
    }

    /// The legal moves known here or in the mirror image, the largest score first.
    pub(super) fn moves(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let legality = position.legality();
        let mut moves: Vec<BookMove> = Vec::new();
        let mirror = position.mirror_files();
        for (form, is_mirrored) in [(position, false), (&mirror, true)] {
            for mut known in self.ask(form)? {
                if is_mirrored {
                    known.mv = known.mv.mirror_file();
                }
                let is_new = moves.iter().all(|other| other.mv != known.mv);
                if is_new && position.is_legal(known.mv, &legality) {
                    moves.push(known);
                }
            }
        }
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        Ok(moves)
    }

    /// What is stored under the key of a position. Some writers store keys with the
    /// top bit set as the real number of the same bits.
    fn ask(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let key = obk_key(position) as i64;
        let mut statement = self.connection.prepare(&self.query)?;
        let real = f64::from_bits(key as u64);
        let rows = if key >= 0 || real.is_nan() {
            statement.query_map(params![key, key], read_row)?
        } else {
            statement.query_map(params![key, real], read_row)?
        };
        let known: Result<Vec<Option<BookMove>>, _> = rows.collect();
        Ok(known?.into_iter().flatten().collect())
    }

    /// Everything that can be reached from the start over the book's own moves,
    /// each position in the form that a collection holds.
    pub(super) fn collection(&self) -> Result<Collection, BookError> {
        let mut collection = Collection::default();
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([Position::start()]);
        while let Some(reached) = queue.pop_front() {
            let (lock, form) = Lock::stored(&reached);
            if !seen.insert(lock) {
                continue;
            }
            let position = match form {
                Form::Mirrored => reached.mirror_files(),
                Form::AsItIs | Form::Symmetric => reached,
            };
            for known in self.moves(&position)? {
                let weighted = Weighted {
                    weight: known.weight,
                    counts: known.counts.unwrap_or_default(),
                };
                collection.put(&position, known.mv, weighted);
                let mut next = position.clone();
                next.make(known.mv);
                queue.push_back(next);
            }
        }
        if collection.size().1 == 0 {
            return Err(BookError::Empty);
        }
        Ok(collection)
    }
}

/// A row, or nothing if its move is none.
fn read_row(row: &Row<'_>) -> rusqlite::Result<Option<BookMove>> {
    let number = |index| -> rusqlite::Result<i64> {
        Ok(match row.get::<_, Value>(index)? {
            Value::Integer(number) => number,
            Value::Real(number) => number as i64,
            _ => 0,
        })
    };
    let count = |index| -> rusqlite::Result<u32> {
        Ok(number(index)?.clamp(0, i64::from(u32::MAX / 4)) as u32)
    };
    let Ok(bytes) = u16::try_from(number(0)?) else {
        return Ok(None);
    };
    let [from, to] = bytes.to_be_bytes();
    let limit = i64::from(i32::MAX);
    let (weight, counts) = (
        number(1)?.clamp(-limit, limit) as i32,
        Counts {
            wins: count(2)?,
            draws: count(3)?,
            losses: count(4)?,
        },
    );
    Ok(points::move_of(from, to).map(|mv| BookMove {
        mv,
        weight,
        counts: Some(counts),
    }))
}

/// Writes a new database. Each position is stored once, under the smaller of its
/// key and that of its mirror image.
pub(super) fn write(collection: &Collection, path: &Path) -> Result<(), BookError> {
    if collection.nameless().next().is_some() {
        log::warn!("positions known by their locks only are left out");
    }
    let mut connection = Connection::open(path)?;
    connection.execute_batch(
        "CREATE TABLE bhobk([id] INTEGER PRIMARY KEY AUTOINCREMENT, [vkey] INTEGER, \
         [vmove] INTEGER, [vscore] INTEGER, [vwin] INTEGER, [vdraw] INTEGER, [vlost] INTEGER, \
         [vvalid] INTEGER, [vmemo] BLOB, [vindex] INTEGER); CREATE INDEX bhobk_vkey ON bhobk(vkey);",
    )?;
    let transaction = connection.transaction()?;
    for entry in collection.entries() {
        let own = obk_key(&entry.position);
        let mirror = obk_key(&entry.position.mirror_files());
        for (&mv, known) in &entry.moves {
            let mv = if mirror < own { mv.mirror_file() } else { mv };
            let counts = known.counts;
            transaction.execute(
                "INSERT INTO bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)",
                params![
                    own.min(mirror) as i64,
                    number_of(mv),
                    known.weight,
                    counts.wins,
                    counts.draws,
                    counts.losses
                ],
            )?;
        }
    }
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error.into())
}

fn number_of(mv: Move) -> u16 {
    u16::from_be_bytes([points::to_byte(mv.from()), points::to_byte(mv.to())])
}
