//! What a search says about positions, each from a fresh state, so that the order
//! does not matter. Results are kept in a journal as they come: a long run that
//! was interrupted goes on where it stopped.

use super::BookToolError;
use crate::eval::nnue;
use crate::position::Position;
use crate::rules::Game;
use crate::search::{HashSizeError, Limits, Request, Searcher};
use crate::tools;
use crate::types::Score;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// Hash table of a search in megabytes.
const HASH_MB: usize = 8;

/// Searches positions and remembers what it found.
#[derive(Debug)]
pub struct Judge {
    path: Option<PathBuf>,
    journal: Option<Mutex<File>>,
    /// By nodes and FEN.
    known: HashMap<(u64, String), Score>,
}

impl Judge {
    /// A judge with the journal of this name, which is read if it is there.
    ///
    /// # Errors
    /// If the journal cannot be opened or is none.
    pub fn open(path: Option<PathBuf>) -> Result<Self, BookToolError> {
        let mut judge = Self {
            path,
            journal: None,
            known: HashMap::new(),
        };
        let Some(path) = &judge.path else {
            return Ok(judge);
        };
        let fault = |fault: String| BookToolError::Journal(path.clone(), fault);
        if path.exists() {
            let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
            // A line without its end was cut off by the interruption.
            for line in text
                .split_inclusive('\n')
                .filter(|line| line.ends_with('\n'))
            {
                let (key, score) =
                    parse(line.trim_end()).ok_or_else(|| fault(format!("'{line}'")))?;
                judge.known.insert(key, score);
            }
            let whole = text.rfind('\n').map_or(0, |at| at + 1);
            if whole < text.len() {
                let file = OpenOptions::new().write(true).open(path);
                file.and_then(|file| file.set_len(whole as u64))
                    .map_err(|error| fault(error.to_string()))?;
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        judge.journal = Some(Mutex::new(file.map_err(|error| fault(error.to_string()))?));
        Ok(judge)
    }

    /// What a search of this many nodes says, from the view of the side to move.
    /// Searches on the current rayon pool what the journal does not know yet.
    ///
    /// # Errors
    /// If there is no memory for the searches, or the journal cannot be written.
    pub fn scores(
        &mut self,
        positions: &[Position],
        nodes: u64,
    ) -> Result<Vec<Score>, BookToolError> {
        let keys: Vec<(u64, String)> = positions.iter().map(|p| (nodes, p.to_fen())).collect();
        let mut new: Vec<usize> = (0..keys.len())
            .filter(|&index| !self.known.contains_key(&keys[index]))
            .collect();
        new.sort_by_key(|&index| &keys[index]);
        new.dedup_by_key(|index| &keys[*index]);
        let bar = tools::progress_bar(new.len() as u64);
        let found: Vec<(usize, Score)> = new
            .par_iter()
            .map_init(searcher, |searcher, &index| {
                let searcher = searcher.as_mut().map_err(|fault| *fault)?;
                let score = search(searcher, &positions[index], nodes);
                self.note(&keys[index], score)?;
                bar.inc(1);
                Ok::<_, BookToolError>((index, score))
            })
            .collect::<Result<_, _>>()?;
        bar.finish_and_clear();
        for (index, score) in found {
            self.known.insert(keys[index].clone(), score);
        }
        Ok(keys.iter().map(|key| self.known[key]).collect())
    }

    fn note(&self, (nodes, fen): &(u64, String), score: Score) -> Result<(), BookToolError> {
        let (Some(journal), Some(path)) = (&self.journal, &self.path) else {
            return Ok(());
        };
        let fault = |fault: String| BookToolError::Journal(path.clone(), fault);
        let mut journal = journal.lock().map_err(|error| fault(error.to_string()))?;
        writeln!(journal, "{nodes}\t{score}\t{fen}").map_err(|error| fault(error.to_string()))
    }
}

fn parse(line: &str) -> Option<((u64, String), Score)> {
    let mut columns = line.splitn(3, '\t');
    let nodes = columns.next()?.parse().ok()?;
    let score = columns.next()?.parse().ok()?;
    Some(((nodes, columns.next()?.to_owned()), score))
}

fn searcher() -> Result<Searcher, HashSizeError> {
    let mut searcher = Searcher::new(1, HASH_MB)?;
    searcher.set_network(Some(nnue::built_in()));
    Ok(searcher)
}

fn search(searcher: &mut Searcher, position: &Position, nodes: u64) -> Score {
    searcher.new_game();
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let request = Request::new(Game::new(position.clone()), limits);
    searcher.find(&request).score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_saves_the_searches_of_an_interrupted_run() {
        let path = std::env::temp_dir().join(format!("chuhe-judge-{}", std::process::id()));
        let mut moved = Position::start();
        moved.make("h2e2".parse().unwrap());
        let positions = [Position::start(), moved, Position::start()];
        let mut judge = Judge::open(Some(path.clone())).unwrap();
        let scores = judge.scores(&positions, 500).unwrap();
        assert_eq!(scores[0], scores[2]);
        drop(judge);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2);
        // The second line is cut off: searched again, to the same result.
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut judge = Judge::open(Some(path.clone())).unwrap();
        assert_eq!(judge.known.len(), 1);
        assert_eq!(judge.scores(&positions, 500).unwrap(), scores);
        drop(judge);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::write(&path, "rubbish\n").unwrap();
        assert!(Judge::open(Some(path.clone())).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
