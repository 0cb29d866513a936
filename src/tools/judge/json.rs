//! The report as JSON lines: an object for each game and rule set.
//!
//! Numbers of plies count from 1 (`ply`, `start` is that of the cycle's first
//! ply); squares are those after the ply. Names are those of `words`.

use super::ruling::{Cause, Cycle, Ruling, illegal_move};
use super::{conduct, text, words};
use crate::records::{GameResult as Recorded, Record};
use crate::rules::{AttackReport, Man, PlyReport, RootFault};
use crate::types::Color;
use serde::Serialize;

#[derive(Serialize)]
struct GameJson {
    source: String,
    game: usize,
    red: Option<String>,
    black: Option<String>,
    recorded: Option<&'static str>,
    plies: usize,
    rules: &'static str,
    result: &'static str,
    reason: Option<&'static str>,
    offender: Option<&'static str>,
    ply: usize,
    error: Option<String>,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<CycleJson>,
}

#[derive(Serialize)]
struct CycleJson {
    start: usize,
    length: usize,
    occurrences: usize,
    offender: Option<&'static str>,
    red: SideJson,
    black: SideJson,
    fen: String,
    plies: Vec<PlyJson>,
}

#[derive(Serialize)]
struct SideJson {
    class: Option<&'static str>,
    conduct: String,
}

#[derive(Serialize)]
struct PlyJson {
    ply: usize,
    side: &'static str,
    r#move: String,
    chinese: String,
    r#type: &'static str,
    checkers: Vec<ManJson>,
    mate_threat: Option<String>,
    check_capture: Option<CheckCaptureJson>,
    chases: Vec<AttackJson>,
    harmless: Vec<AttackJson>,
}

#[derive(Serialize)]
struct ManJson {
    piece: char,
    square: String,
}

#[derive(Serialize)]
struct CheckCaptureJson {
    check: String,
    victim: Option<String>,
}

#[derive(Serialize)]
struct AttackJson {
    attacker: ManJson,
    victim: ManJson,
    manner: &'static str,
    harmless: Option<&'static str>,
    roots: Vec<RootJson>,
}

#[derive(Serialize)]
struct RootJson {
    piece: char,
    square: String,
    root: &'static str,
    exposed_to: Option<String>,
}

/// One line for the ruling; without the cycle in a summary.
pub(super) fn line(
    source: &str,
    number: usize,
    record: &Record,
    ruling: &Ruling,
    is_summary: bool,
) -> String {
    let tag = |name| record.tag(name).map(str::to_owned);
    let offender = match ruling.end {
        Some((crate::rules::GameResult::Loses(side), cause)) if is_offence(cause) => Some(side),
        _ => None,
    };
    let is_illegal = matches!(ruling.end, Some((_, Cause::IllegalMove)));
    let stop = illegal_move(record).filter(|_| is_illegal);
    let game = GameJson {
        source: source.to_owned(),
        game: number,
        red: tag("Red"),
        black: tag("Black"),
        recorded: (record.result() != Recorded::Unknown).then(|| record.result().pgn()),
        plies: record.moves().len(),
        rules: ruling.rules.set.name(),
        result: words::result(ruling.result()).code,
        reason: ruling.end.map(|(_, cause)| words::cause(cause).code),
        offender: offender.map(words::side_code),
        ply: ruling.ply + usize::from(is_illegal),
        error: stop
            .or(ruling.missing_move(record))
            .map(ToString::to_string),
        fen: record.start().to_fen(),
        cycle: ruling
            .cycle
            .as_ref()
            .filter(|_| !is_summary)
            .map(|cycle| cycle_json(cycle, ruling)),
    };
    let line = serde_json::to_string(&game).expect("the report has only text for keys");
    line + "\n"
}

/// Whether who loses has broken a rule, rather than being mated.
fn is_offence(cause: Cause) -> bool {
    use crate::rules::Reason::{Checkmate, Stalemate};
    !matches!(cause, Cause::Rule(Checkmate | Stalemate))
}

fn cycle_json(cycle: &Cycle, ruling: &Ruling) -> CycleJson {
    let Cycle { report, positions } = cycle;
    let side = |side: Color| SideJson {
        class: report
            .classes
            .map(|classes| words::class(classes[side.index()]).code),
        conduct: conduct::describe(report, side, ruling.rules.set),
    };
    let plies = report.plies.iter().zip(positions).enumerate();
    CycleJson {
        start: report.start + 1,
        length: report.length,
        occurrences: report.occurrences,
        offender: report.offender.map(words::side_code),
        red: side(Color::Red),
        black: side(Color::Black),
        fen: positions[0].to_fen(),
        plies: plies
            .map(|(index, (ply, before))| PlyJson {
                ply: report.start + index + 1,
                chinese: text::chinese(before, ply.mv),
                ..ply_json(ply)
            })
            .collect(),
    }
}

fn ply_json(ply: &PlyReport) -> PlyJson {
    PlyJson {
        ply: 0,
        side: words::side_code(ply.piece.color),
        r#move: ply.mv.to_string(),
        chinese: String::new(),
        r#type: words::kind(ply.kind).code,
        checkers: ply.checkers.iter().map(|&man| man_json(man)).collect(),
        mate_threat: ply.mate_threat.map(|mv| mv.to_string()),
        check_capture: ply.check_capture.map(|threat| CheckCaptureJson {
            check: threat.check.to_string(),
            victim: threat.victim.map(|square| square.to_string()),
        }),
        chases: ply.chases.iter().map(attack_json).collect(),
        harmless: ply.harmless.iter().map(attack_json).collect(),
    }
}

fn man_json(man: Man) -> ManJson {
    ManJson {
        piece: man.piece.letter(),
        square: man.square.to_string(),
    }
}

fn attack_json(attack: &AttackReport) -> AttackJson {
    let roots = attack.roots.iter().map(|root| RootJson {
        piece: root.man.piece.letter(),
        square: root.man.square.to_string(),
        root: words::root(root.fault).code,
        exposed_to: match root.fault {
            Some(RootFault::Exposes(square)) => Some(square.to_string()),
            _ => None,
        },
    });
    AttackJson {
        attacker: man_json(attack.attacker),
        victim: man_json(attack.victim),
        manner: words::manner(attack.manner).code,
        harmless: attack.harmless.map(|reason| words::harmless(reason).code),
        roots: roots.collect(),
    }
}
