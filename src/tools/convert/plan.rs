//! Which file becomes which.

use super::ConvertOptions;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use thiserror::Error;

/// One file to convert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

/// Files that are taken: nobody else may write them.
pub(super) type Claims = Mutex<HashSet<PathBuf>>;

/// What the files of a plan are and become. Numbered files, which only show when
/// an input is read, are claimed behind these.
pub(super) fn claims(jobs: &[Job]) -> Claims {
    let files = jobs
        .iter()
        .flat_map(|job| [real(&job.from), job.to.clone()]);
    Mutex::new(files.collect())
}

/// A file that is there under its real name.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The numbered files that a job with several games becomes, if all are free.
pub(super) fn claim_numbered(
    job: &Job,
    count: usize,
    claims: &Claims,
) -> Result<Vec<PathBuf>, String> {
    let digits = count.to_string().len();
    let files: Vec<PathBuf> = (1..=count)
        .map(|number| numbered(&job.to, number, digits))
        .collect();
    let mut claims = claims.lock().map_err(|error| error.to_string())?;
    let is_taken = |file: &&PathBuf| claims.contains(*file) || claims.contains(&real(file));
    if let Some(taken) = files.iter().find(is_taken) {
        let taken = taken.display();
        return Err(format!("{taken} is another file of this conversion"));
    }
    claims.extend(files.iter().cloned());
    Ok(files)
}

/// Why nothing can be converted.
#[derive(Debug, Error)]
pub enum PlanError {
    /// An input that cannot be looked at.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    /// Nothing to do.
    #[error("there is no file to convert")]
    Empty,
    /// Two inputs with the same name.
    #[error("{} and {} would both become {}", .0.display(), .1.display(), .2.display())]
    Clash(PathBuf, PathBuf, PathBuf),
    /// An output that is an input.
    #[error("{} would be written over itself", .0.display())]
    Itself(PathBuf),
}

/// The files of all inputs, in order, with their targets.
pub(super) fn jobs(options: &ConvertOptions) -> Result<Vec<Job>, PlanError> {
    let extension = options.target.extension();
    let is_batch = options.inputs.len() > 1
        || options.inputs.iter().any(|input| input.is_dir())
        || options.out.is_dir();
    let mut jobs = Vec::new();
    for input in &options.inputs {
        let mut files = Vec::new();
        collect(input, &mut files)?;
        for from in files {
            // The place below a folder that was named, or the bare name.
            let below = from.strip_prefix(input).unwrap_or(&from);
            let name = match below.as_os_str().is_empty() {
                true => Path::new(from.file_name().unwrap_or_default()),
                false => below,
            };
            let to = match is_batch {
                true => options.out.join(name).with_extension(extension),
                false => options.out.clone(),
            };
            jobs.push(Job { from, to });
        }
    }
    check(&jobs)?;
    Ok(jobs)
}

fn check(jobs: &[Job]) -> Result<(), PlanError> {
    if jobs.is_empty() {
        return Err(PlanError::Empty);
    }
    let mut targets: HashMap<&Path, &Path> = HashMap::new();
    for Job { from, to } in jobs {
        let real = |path: &Path| fs::canonicalize(path).ok();
        if real(to).is_some_and(|to| Some(to) == real(from)) {
            return Err(PlanError::Itself(from.clone()));
        }
        if let Some(other) = targets.insert(to, from) {
            return Err(PlanError::Clash(other.to_owned(), from.clone(), to.clone()));
        }
    }
    Ok(())
}

/// A file, or all files of a folder and the folders in it, by name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), PlanError> {
    let fault = |error| PlanError::Read(path.to_owned(), error);
    if !fs::metadata(path).map_err(fault)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(fault)?;
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(fault)?;
    entries.sort();
    for entry in entries {
        // A link may lead back up.
        if !(entry.is_symlink() && entry.is_dir()) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// `game.xqf` as `game-07.xqf`.
fn numbered(path: &Path, number: usize, digits: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number:0digits$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_before_the_ending() {
        let path = Path::new("games/局.xqf");
        assert_eq!(numbered(path, 7, 2), Path::new("games/局-07.xqf"));
        assert_eq!(numbered(Path::new("a"), 1, 1), Path::new("a-1"));
    }

    #[test]
    fn clashes_are_found_before_anything_is_written() {
        let job = |from: &str, to: &str| Job {
            from: from.into(),
            to: to.into(),
        };
        let error = check(&[job("a.pgn", "out/a.ubb"), job("a.xqf", "out/a.ubb")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.pgn and a.xqf would both become out/a.ubb"
        );
        assert!(matches!(check(&[]), Err(PlanError::Empty)));
        assert!(matches!(
            check(&[job("Cargo.toml", "./Cargo.toml")]),
            Err(PlanError::Itself(_))
        ));
    }

    #[test]
    fn numbered_files_keep_off_inputs_by_any_name() {
        let folder = std::env::temp_dir().join(format!("chuhe-claims-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let input = folder.join("a-2.xqf");
        fs::write(&input, "").unwrap();
        let job = |from: PathBuf, to: &str| Job {
            from,
            to: folder.join(to),
        };
        let two = job(folder.join("a.txt"), "sub/../a.xqf");
        let claims = claims(&[two.clone(), job(input, "sub/a-2.xqf")]);
        let error = claim_numbered(&two, 2, &claims).unwrap_err();
        assert!(error.contains("a-2.xqf is another file"), "{error}");
        let one = claim_numbered(&two, 1, &claims).unwrap();
        assert_eq!(one, [folder.join("sub/../a-1.xqf")]);
        assert!(claim_numbered(&two, 1, &claims).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
