//! `chuhe convert`: game records from one format to another, files and folders.
//!
//! Every file is read whole, whatever its format and encoding, and written whole:
//! what fails leaves no file behind. A game that cannot be read is named and left
//! out; the others go on.

mod plan;
mod target;

pub use plan::PlanError;
pub use target::Target;

use super::output;
use crate::records::encoding::TextEncoding;
use crate::records::{Archive, Record, RecordError};
use plan::{Claims, Job};
use rayon::prelude::*;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What to convert, and to what.
#[derive(Clone, Debug)]
pub struct ConvertOptions {
    /// Files, and folders with all that is in them.
    pub inputs: Vec<PathBuf>,
    /// The file to write, or for several inputs and folders the folder.
    pub out: PathBuf,
    /// The format.
    pub target: Target,
    /// The encoding of text.
    pub encoding: TextEncoding,
    /// Whether files that are there may be replaced.
    pub force: bool,
}

/// What was converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConvertReport {
    /// Files read.
    pub files: usize,
    /// Games written.
    pub games: usize,
    /// Files and games that failed.
    pub failures: usize,
}

/// Converts on the current rayon pool. `complain` hears of every file and game
/// that fails, `tick` of every file that is done.
///
/// # Errors
/// If the inputs cannot be listed or would be written over each other.
pub fn convert(
    options: &ConvertOptions,
    complain: &(dyn Fn(String) + Sync),
    announce: &dyn Fn(usize),
    tick: &(dyn Fn() + Sync),
) -> Result<ConvertReport, PlanError> {
    let jobs = plan::jobs(options)?;
    announce(jobs.len());
    let claims = plan::claims(&jobs);
    let total = Mutex::new(ConvertReport::default());
    jobs.par_iter().for_each(|job| {
        let name = job.from.display();
        let mut failures = 0;
        let mut fail = |what: String| {
            failures += 1;
            complain(format!("{name}: {what}"));
        };
        let games = one_file(job, options, &claims, &mut fail);
        if let Ok(mut total) = total.lock() {
            total.files += 1;
            total.games += games;
            total.failures += failures;
        }
        tick();
    });
    Ok(total.into_inner().unwrap_or_default())
}

/// How many games of the file were written.
fn one_file(
    job: &Job,
    options: &ConvertOptions,
    claims: &Claims,
    fail: &mut dyn FnMut(String),
) -> usize {
    let records = match read(&job.from) {
        Ok(records) => records,
        Err(error) => {
            fail(error);
            return 0;
        }
    };
    let several = records.len() > 1;
    let mut games = Vec::new();
    for (index, record) in records.into_iter().enumerate() {
        let written = record.and_then(|record| {
            if let Some(stop) = record.stopped_by() {
                log::warn!("{}: game {} stops at {stop}", job.from.display(), index + 1);
            }
            options.target.write(&record, options.encoding)
        });
        match written {
            Ok(bytes) => games.push(bytes),
            Err(error) if several => fail(format!("game {}: {error}", index + 1)),
            Err(error) => fail(error.to_string()),
        }
    }
    if games.is_empty() {
        return 0;
    }
    let count = games.len();
    match write(job, options, claims, games) {
        Ok(()) => count,
        Err(error) => {
            fail(error);
            0
        }
    }
}

fn read(path: &Path) -> Result<Vec<Result<Record, RecordError>>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let archive = Archive::open(&bytes).map_err(|error| error.to_string())?;
    Ok(archive.records().collect())
}

/// Games in one file where the format holds several, else in numbered ones. Nothing
/// is written unless all files may be, and nothing is left unless all are.
fn write(
    job: &Job,
    options: &ConvertOptions,
    claims: &Claims,
    games: Vec<Vec<u8>>,
) -> Result<(), String> {
    let files: Vec<(PathBuf, Vec<u8>)> = if options.target.holds_several() || games.len() == 1 {
        vec![(job.to.clone(), options.target.join(games))]
    } else {
        let paths = plan::claim_numbered(job, games.len(), claims)?;
        paths.into_iter().zip(games).collect()
    };
    let is_there = |(path, _): &&(PathBuf, Vec<u8>)| path.exists();
    if let Some((path, _)) = files.iter().find(is_there).filter(|_| !options.force) {
        let fault = io::Error::from(io::ErrorKind::AlreadyExists);
        return Err(format!("{}: {fault} (--force replaces it)", path.display()));
    }
    if let Some(folder) = job
        .to
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    output::write_all_whole(&files).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("in/sub")).unwrap();
        folder
    }

    fn run(options: &ConvertOptions) -> (ConvertReport, Vec<String>) {
        let complaints = Mutex::new(Vec::new());
        let complain = |line: String| complaints.lock().unwrap().push(line);
        let report = convert(options, &complain, &|_| {}, &|| {}).unwrap();
        (report, complaints.into_inner().unwrap())
    }

    #[test]
    fn a_folder_is_converted_and_failures_leave_nothing() {
        let folder = folder("convert");
        fs::write(folder.join("in/a.txt"), "1-0\t-\th2e2 h9g7\n0-1\t-\tc3c4\n").unwrap();
        fs::write(folder.join("in/sub/b.txt"), "1. 炮二平五 马8进7").unwrap();
        fs::write(folder.join("in/bad.txt"), "Dear Sir or Madam").unwrap();
        let options = ConvertOptions {
            inputs: vec![folder.join("in")],
            out: folder.join("out"),
            target: Target::Xqf,
            encoding: TextEncoding::Utf8,
            force: false,
        };
        let (report, complaints) = run(&options);
        let expected = ConvertReport {
            files: 3,
            games: 3,
            failures: 1,
        };
        assert_eq!(report, expected, "{complaints:?}");
        assert!(complaints[0].ends_with("bad.txt: not a game record in a known format"));
        for name in ["a-1.xqf", "a-2.xqf", "sub/b.xqf"] {
            assert!(folder.join("out").join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 3);
        // A second run replaces nothing unless told to.
        assert_eq!(run(&options).0.games, 0);
        let force = ConvertOptions {
            force: true,
            ..options
        };
        assert_eq!(run(&force).0.games, 3);
        fs::remove_dir_all(folder).unwrap();
    }

    /// Two games of `a.txt` would become `a-1.xqf` and `a-2.xqf`, but the first is
    /// what `a-1.pgn` becomes.
    #[test]
    fn numbered_files_are_written_all_or_none() {
        let folder = folder("numbered");
        let two = "1-0\t-\th2e2 h9g7\n0-1\t-\tc3c4\n";
        fs::write(folder.join("in/a.txt"), two).unwrap();
        fs::write(folder.join("in/a-1.pgn"), "1. 炮二平五 马8进7").unwrap();
        let forced = ConvertOptions {
            inputs: vec![folder.join("in")],
            out: folder.join("out"),
            target: Target::Xqf,
            encoding: TextEncoding::Utf8,
            force: true,
        };
        let out = |name: &str| folder.join("out").join(name);
        for _ in 0..3 {
            let (report, complaints) = run(&forced);
            assert_eq!((report.games, report.failures), (1, 1), "{complaints:?}");
            let expected = "a-1.xqf is another file of this conversion";
            assert!(complaints[0].contains("a.txt: "), "{complaints:?}");
            assert!(complaints[0].ends_with(expected), "{complaints:?}");
            let game = &read(&out("a-1.xqf")).unwrap()[0];
            assert_eq!(game.as_ref().unwrap().moves().len(), 2);
            assert!(!out("a-2.xqf").exists());
        }
        // A file that is there keeps its siblings from being written, too.
        fs::remove_file(folder.join("in/a-1.pgn")).unwrap();
        fs::rename(out("a-1.xqf"), out("a-2.xqf")).unwrap();
        let careful = ConvertOptions {
            force: false,
            ..forced.clone()
        };
        let (report, complaints) = run(&careful);
        assert_eq!((report.games, report.failures), (0, 1), "{complaints:?}");
        assert!(complaints[0].contains("a-2.xqf"), "{complaints:?}");
        assert!(!out("a-1.xqf").exists());
        // So does one that cannot be written: a folder stands in its place.
        fs::remove_file(out("a-2.xqf")).unwrap();
        fs::create_dir_all(out("a-2.xqf").join("x")).unwrap();
        let (report, complaints) = run(&forced);
        assert_eq!((report.games, report.failures), (0, 1), "{complaints:?}");
        assert!(complaints[0].contains("cannot write"), "{complaints:?}");
        assert!(!out("a-1.xqf").exists());
        // What was there before stays.
        fs::write(out("a-1.xqf"), "old").unwrap();
        assert_eq!(run(&forced).0.failures, 1);
        assert_eq!(fs::read(out("a-1.xqf")).unwrap(), b"old");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_an_encoding_lacks_is_named_and_no_file_is_left() {
        let folder = folder("encoding");
        let from = folder.join("in/a.txt");
        fs::write(&from, "1. 炮二平五 马8进7").unwrap();
        let out = folder.join("a.pgn");
        let options = ConvertOptions {
            inputs: vec![from],
            out: out.clone(),
            target: Target::PgnChinese,
            encoding: TextEncoding::Big5,
            force: false,
        };
        let (report, complaints) = run(&options);
        assert_eq!((report.games, report.failures), (0, 1));
        assert!(complaints[0].contains("there is no '马'"), "{complaints:?}");
        assert!(!out.exists());
        let traditional = ConvertOptions {
            target: Target::PgnTraditional,
            ..options
        };
        assert_eq!(run(&traditional).0.games, 1);
        assert!(out.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
