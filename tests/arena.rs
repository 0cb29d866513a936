//! `chuhe match` and `chuhe tournament` as their users meet them: the real binary
//! against itself and against programs that misbehave; every game judged again by
//! `chuhe judge`.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "arena/files.rs"]
mod files;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// A folder of one test, empty at its start and removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder of our own");
        Self(path)
    }

    /// The path of a file in it, as an argument.
    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file was written")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn chuhe(arguments: &[&str]) -> Output {
    let output = Command::new(CHUHE).args(arguments).output();
    output.expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[track_caller]
fn succeed(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    let complaint = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    text(&output.stdout)
}

/// Fails with one line, and gives it.
#[track_caller]
fn fail(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    let complaint = text(&output.stderr);
    assert!(!output.status.success(), "{arguments:?} should fail");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

/// The arguments of a match in this process: quick games, and what is added.
fn quick_match<'t>(
    players: [&'t str; 2],
    nodes: &'t str,
    games: &'t str,
    more: &[&'t str],
) -> Vec<&'t str> {
    let [a, b] = players;
    let own = ["match", "--a", a, "--b", b, "--nodes", nodes];
    let size = ["--hash", "1", "--games", games];
    [&own[..], &size, more].concat()
}

/// The tags of a game.
fn tag<'g>(game: &'g str, name: &str) -> &'g str {
    let start = format!("[{name} \"");
    let line = game.lines().find(|line| line.starts_with(&start));
    let value = line.unwrap_or_else(|| panic!("no {name} in {game}"));
    value[start.len()..].trim_end_matches("\"]")
}

fn games(pgn: &str) -> Vec<&str> {
    let starts: Vec<usize> = pgn.match_indices("[Game ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([pgn.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &pgn[start..end])
        .collect()
}

/// Has every game of a PGN file judged by `chuhe judge`, and compares its result
/// and its reason with those of the referee. Returns how games ended.
fn judge_again(folder: &Folder, name: &str) -> Vec<(String, usize)> {
    let lines = succeed(&["judge", "--json", "--summary", &folder.file(name)]);
    let rulings: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let pgn = folder.read(name);
    let games = games(&pgn);
    assert_eq!(games.len(), rulings.len());
    let limits = ["natural_limit", "material", "total_limit"];
    let mut counts: Vec<(String, usize)> = Vec::new();
    for (game, ruling) in games.iter().zip(&rulings) {
        let result = match tag(game, "Result") {
            "1-0" => "black_loses",
            "0-1" => "red_loses",
            _ => "draw",
        };
        let (ruled, reason) = (ruling["result"].as_str(), ruling["reason"].as_str());
        let ended_by = tag(game, "Termination");
        let plies = ruling["plies"].as_u64();
        let expected = match ended_by {
            "mate" => Some("checkmate"),
            "stalemate" | "repetition" => Some(ended_by),
            // The referee has one word for all limits, and a last one of its own.
            "limit" if ruled == Some("draw") => reason.filter(|reason| limits.contains(reason)),
            "limit" if plies == Some(400) => None,
            "limit" => Some("limit"),
            // The rest ended before the rules had anything to say.
            _ => None,
        };
        match expected {
            Some(expected) => {
                assert_eq!((ruled, reason), (Some(result), Some(expected)), "{game}");
                assert_eq!(ruling["ply"].as_u64(), plies, "{game}");
            }
            None => assert_eq!(ruled, Some("continue"), "{game}"),
        }
        match counts.iter_mut().find(|(kind, _)| kind == ended_by) {
            Some((_, count)) => *count += 1,
            None => counts.push((ended_by.to_owned(), 1)),
        }
    }
    counts
}

/// Plays this many games in-process and judges them again.
fn referee_and_judge_agree(games: &str, concurrency: &str) -> Vec<(String, usize)> {
    let folder = Folder::new(&format!("referee-{games}"));
    let pgn = folder.file("games.pgn");
    let more = [
        "--concurrency",
        concurrency,
        "--no-adjudication",
        "--pgn",
        &pgn,
    ];
    succeed(&quick_match(["self", "self:hce"], "200", games, &more));
    judge_again(&folder, "games.pgn")
}

#[test]
fn the_judge_says_what_the_referee_said() {
    let counts = referee_and_judge_agree("36", "2");
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 36);
    assert!(counts.len() > 1, "{counts:?}");
}

#[test]
#[ignore = "a thousand games take minutes"]
fn the_judge_says_what_the_referee_said_a_thousand_times() {
    let counts = referee_and_judge_agree("1000", "2");
    println!("{counts:?}");
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 1_000);
}

/// Games over pipes in both dialects: no fault, nothing lost.
#[test]
fn the_engine_plays_itself_over_pipes() {
    let folder = Folder::new("pipes");
    let pgn = folder.file("games.pgn");
    let (ucci, uci) = (format!("ucci:{CHUHE}"), format!("uci:{CHUHE}"));
    let said = succeed(&[
        "match",
        "--a",
        &ucci,
        "--b",
        &uci,
        "--option-a",
        "Hash=1",
        "--option-b",
        "Hash=1",
        "--tc-a",
        "nodes=300",
        "--tc-b",
        "depth=2",
        "--games",
        "4",
        "--concurrency",
        "2",
        "--start-limit",
        "60",
        "--pgn",
        &pgn,
    ]);
    assert!(said.starts_with("chuhe A against chuhe B\n"), "{said}");
    assert!(!said.contains(" of chuhe"), "{said}");
    let pgn = folder.read("games.pgn");
    let games = games(&pgn);
    assert_eq!(games.len(), 4);
    let clock_of_a = |game: &&str| match tag(game, "Red") {
        "chuhe A" => tag(game, "RedTimeControl") == "nodes=300",
        _ => tag(game, "BlackTimeControl") == "nodes=300",
    };
    assert!(games.iter().all(clock_of_a));
    judge_again(&folder, "games.pgn");
}

/// A program made of a shell script. It greets, then does something else. The shell
/// is told to read it: a file just written may be too busy to be run.
#[cfg(unix)]
fn script(folder: &Folder, name: &str, greeting: &str, on_go: &str) -> String {
    let path = folder.file(name);
    let script = format!(
        "{greeting}\nwhile read -r line; do\ncase \"$line\" in\n\
         uci) echo uciok ;;\nisready) echo readyok ;;\ngo*) {on_go} ;;\nquit) exit 0 ;;\n\
         esac\ndone\n"
    );
    fs::write(&path, script).expect("our own file");
    format!("uci:sh {path}")
}

/// Each of these loses both games, and the table names what it did.
#[cfg(unix)]
#[test]
fn misbehaving_programs_lose_and_are_named() {
    let folder = Folder::new("faults");
    let cases = [
        ("crasher", "", "exit 3", "crash"),
        ("sleeper", "", "sleep 30", "hang"),
        ("cheat", "", "echo bestmove a0a5", "illegal move"),
        ("mumbler", "", "echo bestmove tralala", "illegal move"),
        ("stammerer", "", "echo bestmove", "no move given"),
        ("resigner", "", "echo 'bestmove (none)'", "no move given"),
        ("late", "", "sleep 0.6; echo bestmove h2e2", "time"),
        ("mute", "sleep 30", "", "hang"),
        ("flooder", "", "yes info string garbage", "hang"),
        ("binary", "", "head -c 300000 /dev/zero; exit", "crash"),
    ];
    // All at once: they mostly wait. Limits are wide, as a machine may be busy; only
    // the one that is to lose on time has little of it, and the other needs none.
    let play = |(name, greeting, on_go, fault): (&str, &str, &str, &str)| {
        let spec = script(&folder, name, greeting, on_go);
        let margin = if fault == "time" { "100" } else { "4000" };
        let said = succeed(&[
            "match",
            "--a",
            &spec,
            "--name-a",
            name,
            "--b",
            "self:hce",
            "--games",
            "2",
            "--tc-a",
            "movetime=50",
            "--tc-b",
            "nodes=50",
            "--margin",
            margin,
            "--start-limit",
            "10",
            "--hang-limit",
            "5",
            "--hash",
            "1",
            "--concurrency",
            "2",
        ]);
        let expected = format!("     2 {fault} of {name}\n");
        let is_right = said.contains("+0 =0 -2") && said.contains(&expected);
        (!is_right).then(|| format!("{name}: {said}"))
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let matches = cases.map(|case| scope.spawn(move || play(case)));
        let ended = matches.map(|playing| playing.join().expect("it plays to its end"));
        ended.into_iter().flatten().collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_program_that_does_not_exist_loses() {
    let said = succeed(&[
        "match",
        "--a",
        "ucci:/nonexistent/engine",
        "--b",
        "self:hce",
        "--games",
        "2",
        "--nodes",
        "50",
        "--hash",
        "1",
    ]);
    assert!(said.contains("     2 no start of engine\n"), "{said}");
}

/// Each of these was a panic, or ran over.
#[test]
fn numbers_beyond_all_sense_are_refused() {
    let (engine, most) = ("ucci:/nonexistent/engine", "18446744073709551615");
    let cases = [
        ("--tc", "1e19+1e19", "more than 1000000 seconds"),
        ("--tc-a", "1e19+1e19", "more than 1000000 seconds"),
        ("--movetime", most, "not in 1..=1000000000"),
        ("--start-limit", most, "not in 0..=1000000"),
        ("--hang-limit", most, "not in 0..=1000000"),
        ("--games", most, "not in 0..=1000000000"),
        ("--concurrency", "100000", "not in 1..=1000"),
    ];
    for (option, value, says) in cases {
        let output = chuhe(&["match", "--a", engine, "--b", engine, option, value]);
        let complaint = text(&output.stderr);
        let first = complaint.lines().next().unwrap_or("");
        assert_eq!(output.status.code(), Some(2), "{option}: {complaint}");
        let is_right = first.starts_with("error: ") && complaint.contains(says);
        assert!(is_right && complaint.contains(option), "{complaint}");
    }
    let complaint = fail(&[
        "tournament",
        "-p",
        "self",
        "-p",
        "x=self",
        "--clock",
        "x:1e19",
    ]);
    assert!(
        complaint.contains("more than 1000000 seconds"),
        "{complaint}"
    );
}

#[test]
fn bad_input_is_one_message() {
    let folder = Folder::new("bad");
    let bad = folder.file("bad.epd");
    fs::write(&bad, "not a position\n").expect("our own file");
    let ends = folder.file("latin.epd");
    fs::write(&ends, b"\xff\xfe\x00rubbish").expect("our own file");
    let missing = folder.file("missing.epd");
    let base = ["match", "--a", "self", "--b", "self", "--games", "2"];
    let with = |more: &[&'static str], path: &str| {
        let mut arguments: Vec<&str> = base.to_vec();
        arguments.extend(more);
        arguments.push(path);
        fail(&arguments)
    };
    for path in [&bad, &ends, &missing] {
        let complaint = with(&["--openings"], path);
        assert!(complaint.contains(path.as_str()), "{complaint}");
    }
    assert!(with(&["--option-a"], "Hash=3").contains("take no options"));
    let nobody = fail(&["match", "--a", "xyz", "--b", "self"]);
    assert!(nobody.contains("'xyz' is not a player"), "{nobody}");
    let odd = fail(&["tournament", "-p", "self", "-p", "self"]);
    assert!(odd.contains("two players are called 'self'"), "{odd}");
    let alone = fail(&["tournament", "-p", "self"]);
    assert!(alone.contains("two players or more"), "{alone}");
}

#[test]
fn a_swiss_tournament_ends_with_a_table() {
    let folder = Folder::new("swiss");
    let (json, pgn) = (folder.file("table.json"), folder.file("games.pgn"));
    let mut arguments = vec![
        "tournament",
        "--format",
        "swiss",
        "--nodes",
        "60",
        "--hash",
        "1",
        "--json",
        &json,
        "--pgn",
        &pgn,
        "--clock",
        "strong:nodes=600",
        "--rounds",
        "3",
    ];
    for player in [
        "strong=self",
        "b=self",
        "c=self:hce",
        "d=self:hce",
        "e=self",
    ] {
        arguments.extend(["-p", player]);
    }
    let said = succeed(&arguments);
    assert!(said.contains("Round 3, without an opponent: "), "{said}");
    let table: Value = serde_json::from_str(&folder.read("table.json")).expect("JSON");
    assert_eq!(table["rounds"].as_array().map(Vec::len), Some(3));
    let rows = table["standings"].as_array().expect("rows");
    let points: f64 = rows.iter().filter_map(|row| row["points"].as_f64()).sum();
    // Two games and a bye in each round.
    assert_eq!((rows.len(), points), (5, 9.0));
    judge_again(&folder, "games.pgn");
}
