//! Training from end to end on games made up on the spot: the loss it ends with is
//! known, a run that was interrupted ends with the same network, and the engine
//! can play the network.

use chuhe::eval::Evaluator;
use chuhe::eval::nnue::features::KING_PLACES;
use chuhe::eval::nnue::{self, Network, Shape};
use chuhe::position::Position;
use chuhe::tools::arena::stats::GameResult;
use chuhe::tools::data::record::Filter;
use chuhe::tools::datagen::game_file::{ScoredMove, SelfPlayGame, write_game};
use chuhe::tools::train::{TrainError, TrainOptions, train, verify};
use chuhe::types::Random;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Random games, scored by the hand-made evaluation.
fn games(count: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..count {
        let mut random = Random::new(number);
        let mut position = Position::start();
        let mut evaluator = Evaluator::new(&position, None);
        let mut plies = Vec::new();
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let score = evaluator.evaluate(&position).clamp(-3_000, 3_000) as i16;
            plies.push(ScoredMove { mv, score });
            evaluator.push(&position.make(mv).change);
        }
        let start = Position::start();
        let result = GameResult::Draw;
        write_game(
            &SelfPlayGame {
                start,
                result,
                plies,
            },
            &mut bytes,
        );
    }
    bytes
}

/// A folder of this test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-train-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(data: &Path, out: &Path) -> TrainOptions {
    TrainOptions {
        data: vec![data.to_owned()],
        out: out.to_owned(),
        shape: Shape {
            hidden: 64,
            buckets: 2,
            king_buckets: 1,
        },
        epochs: 4,
        batch: 1_024,
        learning_rate: 0.004,
        lambda: 1.0,
        decay: 0.01,
        seed: 1,
        filter: Filter::default(),
        resume: false,
        checkpoint_every: Duration::from_secs(3600),
    }
}

#[test]
fn a_small_training_run_ends_with_a_known_loss() {
    let folder = Folder::new("loss");
    let data = folder.0.join("games.gam");
    std::fs::write(&data, games(200)).expect("the games can be written");
    let trained = train(&options(&data, &folder.0)).expect("the run ends");
    let (training, held_out) = trained.losses;
    assert!(
        (training - KNOWN_LOSS).abs() < 5e-6,
        "{training}, held out: {held_out}"
    );

    // What was written is what was returned, and it has learned something.
    let bytes = std::fs::read(folder.0.join("net.nnue")).expect("there is a network");
    assert_eq!(Network::read(&bytes), Ok(trained.network));
    let network = Arc::new(Network::read(&bytes).expect("it can be read"));
    let rook_up =
        Position::from_fen("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
            .expect("legal");
    let score = Evaluator::new(&rook_up, Some(&network)).evaluate(&rook_up);
    assert!(
        score > 50,
        "after four short epochs a rook is worth {score}"
    );
    assert!(folder.0.join("losses.csv").exists() && folder.0.join("losses.svg").exists());
    check_manifest(&folder.0, &data);
}

/// What a manifest says about a key.
fn value<'a>(manifest: &'a str, key: &str) -> &'a str {
    let line = manifest.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.strip_prefix(" = ")).expect(key)
}

/// Mean and largest difference between the integers and the floats, in centipawns.
fn quantisation_errors(manifest: &str) -> (f64, f64) {
    let number = |key: &str| value(manifest, key).parse().expect(key);
    (
        number("quantisation_error_mean_cp"),
        number("quantisation_error_max_cp"),
    )
}

#[test]
fn the_network_in_the_tree_is_that_of_its_manifest() {
    let manifest = include_str!("../src/eval/nnue/net.toml");
    let checksum = format!("\"{:016x}\"", nnue::built_in().checksum());
    assert_eq!(value(manifest, "net_checksum"), checksum);
    let (mean, max) = quantisation_errors(manifest);
    assert!(mean < 2.0 && max < 15.0, "mean {mean}, max {max}");
}

/// What the manifest says about the integers, and whether it is believed.
fn check_manifest(folder: &Path, data: &Path) {
    let path = folder.join("net.toml");
    let text = std::fs::read_to_string(&path).expect("there is a manifest");
    let (mean, max) = quantisation_errors(&text);
    // So few units cannot make up for each other's rounding as well as the 256 of
    // a net to play with, which come below 2.
    assert!(mean < 3.0 && max < 15.0, "mean {mean}, max {max}");
    let faults = |expected: usize| {
        let mut report = Vec::new();
        let faults = verify(&path, &[], &mut report).expect("the manifest can be read");
        let report = String::from_utf8_lossy(&report).into_owned();
        assert_eq!(faults, expected, "{report}");
    };
    faults(0);
    let mut bytes = std::fs::read(data).expect("the games are there");
    bytes[40] ^= 1;
    std::fs::write(data, bytes).expect("the games can be written");
    faults(1);
    std::fs::remove_file(data).expect("the games can be removed");
    std::fs::write(folder.join("net.nnue"), "rubbish").expect("it can be written");
    faults(2);
}

/// The same with any number of threads; levels differ by rounding.
const KNOWN_LOSS: f64 = 0.008_881;

#[test]
fn a_resumed_run_ends_with_the_same_network() {
    let folder = Folder::new("resume");
    let data = folder.0.join("games.gam");
    std::fs::write(&data, games(30)).expect("the games can be written");
    let (whole, halves) = (folder.0.join("whole"), folder.0.join("halves"));
    let mut options = options(&data, &whole);
    options.batch = 128;
    options.shape.king_buckets = KING_PLACES;
    let expected = train(&options).expect("the run ends").network;
    std::fs::create_dir_all(&halves).expect("a folder can be made");
    options.out = halves.clone();
    let resume = TrainOptions {
        resume: true,
        ..options.clone()
    };
    let fault = train(&resume);
    assert!(
        matches!(fault, Err(TrainError::Checkpoint(_))),
        "there is none yet"
    );
    let checkpoint = checkpoint_of_a_run_under_way(&options);
    std::fs::write(halves.join("checkpoint.bin"), &checkpoint).expect("it can be written");
    assert_eq!(train(&resume).expect("the run ends").network, expected);
    // A damaged checkpoint, or one of other settings, is refused.
    let mut damaged = checkpoint.clone();
    damaged[100] ^= 1;
    std::fs::write(halves.join("checkpoint.bin"), damaged).expect("it can be written");
    let fault = train(&resume);
    assert!(matches!(fault, Err(TrainError::Checkpoint(_))));
    std::fs::write(halves.join("checkpoint.bin"), checkpoint).expect("it can be written");
    let fault = train(&TrainOptions { seed: 2, ..resume });
    assert!(matches!(fault, Err(TrainError::Checkpoint(_))));
}

/// The first checkpoint that a run leaves which writes one at every step: what a
/// kill at that moment would have left.
fn checkpoint_of_a_run_under_way(options: &TrainOptions) -> Vec<u8> {
    let every_step = TrainOptions {
        checkpoint_every: Duration::ZERO,
        ..options.clone()
    };
    let path = options.out.join("checkpoint.bin");
    let (first, last) = std::thread::scope(|scope| {
        let run = scope.spawn(|| train(&every_step).map(|_| ()));
        let first = loop {
            match std::fs::read(&path) {
                Ok(bytes) => break bytes,
                Err(_) => assert!(!run.is_finished(), "no checkpoint was written"),
            }
        };
        run.join().expect("no panic").expect("the run ends");
        (first, std::fs::read(&path).expect("it is there"))
    });
    assert_ne!(
        first, last,
        "the run was over before its checkpoint was seen"
    );
    first
}
