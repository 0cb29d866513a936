//! The positions of earlier games scored anew, by today's evaluation and search.
//!
//! Moves and results stay; only plies that a trainer would look at are searched.
//! A game is a pure function of build, evaluation, settings and the old game:
//! tables are emptied for each, and each position is searched without what came
//! before it. Parts of a thousand games become files, so that the same command
//! goes on after a kill with the first part that is missing.

use super::game_file::{SelfPlayGame, write_game};
use crate::eval::nnue::Network;
use crate::rules::Game;
use crate::search::{HashSizeError, Request, Searcher};
use crate::tools::arena::player::Turn;
use crate::tools::data::hash_text;
use crate::tools::data::manifest::{
    DataFile, DataManifest, Rescoring, evaluation_name, file_name, path_beside,
};
use crate::tools::data::record;
use crate::tools::data::source::{self, DataError, Parsed};
use crate::tools::data::tally::Tally;
use crate::tools::output::{self, WriteError};
use crate::types::score::EVAL_LIMIT;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// How to score.
#[derive(Clone, Debug)]
pub struct RescoreOptions {
    /// Soft node limit of a position; the hard one is four times as much.
    pub nodes: u64,
    /// Hash table of a game in megabytes.
    pub hash_mb: usize,
    /// What evaluates; `None`: by hand.
    pub network: Option<Arc<Network>>,
    /// Where the parts go.
    pub out: PathBuf,
}

/// Why scoring cannot go on. Whole parts stay.
#[derive(Debug, Error)]
pub enum RescoreError {
    /// A file cannot be read, or holds no games.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A part or its folder cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// No memory for the table.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// Two files would give parts of one name.
    #[error("several files would become {0}")]
    Twice(PathBuf),
    /// An earlier part was made from other games or otherwise.
    #[error("{0} describes games scored with other settings; use another folder")]
    Settings(PathBuf),
}

/// What was scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rescored {
    /// Games, without those of earlier runs.
    pub games: u64,
    /// Positions of them that were searched.
    pub positions: u64,
    /// Files that were damaged.
    pub faulty_files: usize,
}

/// Games in a part.
const PART: usize = 1_000;

/// Scores the games of these files on the current rayon pool; `tell` hears of
/// each part, `complain` gets a line for each file with a fault.
///
/// # Errors
/// See [`RescoreError`].
pub fn rescore(
    inputs: &[PathBuf],
    options: &RescoreOptions,
    tell: &mut dyn FnMut(&Path, Rescored),
    complain: &mut dyn FnMut(String),
) -> Result<Rescored, RescoreError> {
    std::fs::create_dir_all(&options.out).map_err(|fault| WriteError::new(&options.out, fault))?;
    let mut total = Rescored::default();
    let inputs = source::expand(inputs)?;
    let stems: Vec<String> = inputs.iter().map(|path| stem(path)).collect();
    for (index, stem) in stems.iter().enumerate() {
        if stems[..index].contains(stem) {
            return Err(RescoreError::Twice(options.out.join(stem)));
        }
    }
    for (path, stem) in inputs.iter().zip(&stems) {
        let content = source::load(path)?;
        let mut parsed = Parsed::new(&content);
        parsed.keep_legal();
        if let Some(complaint) = parsed.complaint(path) {
            complain(complaint);
            total.faulty_files += 1;
        }
        let file = DataFile::new(path, &content, &parsed);
        for (number, games) in parsed.games.chunks(PART).enumerate() {
            let part = options.out.join(format!("{stem}-{number:06}.gam"));
            if is_whole(&part, &file, options)? {
                continue;
            }
            let scored = score_all(games, options)?;
            total.games += games.len() as u64;
            total.positions += scored.iter().map(|(_, count)| count).sum::<u64>();
            let games: Vec<SelfPlayGame> = scored.into_iter().map(|(game, _)| game).collect();
            write_part(&part, &games, &file, options)?;
            tell(&part, total);
        }
    }
    Ok(total)
}

/// A file's name without its endings.
fn stem(path: &Path) -> String {
    let name = file_name(path);
    name.split('.').next().unwrap_or_default().to_owned()
}

fn settings(options: &RescoreOptions) -> Rescoring {
    Rescoring {
        evaluation: evaluation_name(options.network.as_deref()),
        nodes: options.nodes,
        hash_mb: options.hash_mb as u64,
    }
}

/// Whether an earlier run has left this part.
fn is_whole(part: &Path, file: &DataFile, options: &RescoreOptions) -> Result<bool, RescoreError> {
    let path = path_beside(part);
    let Ok(manifest) = DataManifest::read(&path) else {
        return Ok(false);
    };
    if manifest.rescoring != Some(settings(options)) || manifest.source != [file.clone()] {
        return Err(RescoreError::Settings(path));
    }
    let is_named = |content: source::Content| {
        let named = manifest.data.iter().map(|named| &named.fnv1a);
        named.eq([&content.hash])
    };
    Ok(source::load(part).is_ok_and(is_named))
}

fn write_part(
    part: &Path,
    games: &[SelfPlayGame],
    source: &DataFile,
    options: &RescoreOptions,
) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| write_game(game, &mut bytes));
    output::write_whole(part, &bytes)?;
    let file = DataFile {
        file: file_name(part),
        fnv1a: hash_text(&bytes),
        games: games.len() as u64,
    };
    let mut manifest = DataManifest::new(Tally::of(games), vec![file], vec![source.clone()]);
    manifest.rescoring = Some(settings(options));
    manifest.write(&path_beside(part))
}

/// The games with new scores, and how many positions of each were searched.
fn score_all(
    games: &[SelfPlayGame],
    options: &RescoreOptions,
) -> Result<Vec<(SelfPlayGame, u64)>, HashSizeError> {
    let searcher = || -> Result<Searcher, HashSizeError> {
        let mut searcher = Searcher::new(1, options.hash_mb)?;
        searcher.set_network(options.network.clone());
        Ok(searcher)
    };
    games
        .par_iter()
        .map_init(searcher, |searcher, game| match searcher {
            Ok(searcher) => Ok(score(game, options.nodes, searcher)),
            Err(error) => Err(*error),
        })
        .collect()
}

fn score(game: &SelfPlayGame, nodes: u64, searcher: &mut Searcher) -> (SelfPlayGame, u64) {
    searcher.new_game();
    let mut scored = game.clone();
    let mut searched = 0;
    let mut position = game.start.clone();
    for ply in &mut scored.plies {
        if record::is_quiet(&position, &position.legality(), ply.mv) {
            let limits = Turn::SoftNodes(nodes).limits();
            let request = Request::new(Game::new(position.clone()), limits);
            let outcome = searcher.find(&request);
            ply.score = outcome.score.clamp(-EVAL_LIMIT, EVAL_LIMIT) as i16;
            searched += 1;
        }
        position.make(ply.mv);
    }
    (scored, searched)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::data::archive::tests::random_games;

    fn options(out: PathBuf) -> RescoreOptions {
        RescoreOptions {
            nodes: 50,
            hash_mb: 1,
            network: None,
            out,
        }
    }

    #[test]
    fn scores_are_made_anew_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("chuhe-rescore-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let games = random_games(3);
        let mut bytes = Vec::new();
        games.iter().for_each(|game| write_game(game, &mut bytes));
        let input = folder.join("old.gam");
        std::fs::write(&input, &bytes).unwrap();
        let run = |options: &RescoreOptions, input: &Path| {
            let quiet = &mut |text: String| panic!("{text}");
            rescore(&[input.to_owned()], options, &mut |_, _| {}, quiet)
        };
        let new = options(folder.join("new"));
        let done = run(&new, &input).unwrap();
        assert_eq!(done.games, 3);
        let part = folder.join("new/old-000000.gam");
        let content = source::load(&part).unwrap();
        let scored = Parsed::new(&content).games;
        let mut changed = 0;
        for (old, new) in games.iter().zip(&scored) {
            assert_eq!((old.result, old.plies.len()), (new.result, new.plies.len()));
            let mut position = old.start.clone();
            for (old, new) in old.plies.iter().zip(&new.plies) {
                assert_eq!(old.mv, new.mv);
                if record::is_quiet(&position, &position.legality(), old.mv) {
                    changed += u64::from(old.score != new.score);
                } else {
                    assert_eq!(old.score, new.score);
                }
                position.make(old.mv);
            }
        }
        // (A random score may be the right one.)
        assert!(changed * 10 > done.positions * 9, "{changed} of {done:?}");
        // What is whole is left alone; what is not, made again alike.
        assert_eq!(run(&new, &input).unwrap(), Rescored::default());
        std::fs::write(&part, b"").unwrap();
        assert_eq!(run(&new, &input).unwrap(), done);
        assert_eq!(source::load(&part).unwrap().hash, content.hash);
        // Other settings and other games are refused.
        let other = RescoreOptions { nodes: 51, ..new };
        let fault = run(&other, &input).unwrap_err();
        assert!(matches!(fault, RescoreError::Settings(_)), "{fault}");
        std::fs::write(&input, &bytes[..bytes.len() / 2]).unwrap();
        let mut lines = 0;
        let other = RescoreOptions { nodes: 50, ..other };
        let fault = rescore(&[input], &other, &mut |_, _| {}, &mut |_| lines += 1).unwrap_err();
        assert!(matches!(fault, RescoreError::Settings(_)), "{fault}");
        assert_eq!(lines, 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
