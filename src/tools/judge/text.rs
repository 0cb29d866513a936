//! The report for people.

use super::conduct;
use super::ruling::{Cause, Cycle, Ruling, illegal_move};
use super::words;
use crate::position::{Notation, Position, Script};
use crate::records::{GameResult as Recorded, Record};
use crate::rules::{AttackReport, CycleReport, Man, PlyReport, Reason, RootFault, RuleSet};
use crate::types::{Color, Move, Square};
use std::fmt::Write as _;

/// Writing to a string does not fail; the results of `write!` are dropped.
const INDENT: &str = "  ";

/// The whole report on a game: who played, then every rule set's ruling.
pub(super) fn report(label: &str, record: &Record, rulings: &[Ruling]) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{label}: {}", describe_record(record));
    for ruling in rulings {
        let set = words::set_title(ruling.rules.set);
        let _ = writeln!(text, "{INDENT}{set}: {}", verdict(record, ruling));
        if record.moves().len() > ruling.ply {
            let _ = writeln!(
                text,
                "{INDENT}{INDENT}The record goes on to ply {}.",
                record.moves().len()
            );
        }
        if let Some(cycle) = ruling.relevant_cycle() {
            write_cycle(&mut text, cycle, ruling);
        }
    }
    text.push('\n');
    text
}

/// One line: the game and every rule set's verdict.
pub(super) fn summary(label: &str, record: &Record, rulings: &[Ruling]) -> String {
    let verdicts: Vec<String> = rulings
        .iter()
        .map(|ruling| format!("{}: {}", ruling.rules.set, verdict(record, ruling)))
        .collect();
    format!("{label}: {}\n", verdicts.join("; "))
}

fn describe_record(record: &Record) -> String {
    let mut parts = Vec::new();
    if let (Some(red), Some(black)) = (record.tag("Red"), record.tag("Black")) {
        parts.push(format!("{red} - {black}"));
    }
    parts.push(format!("{} plies", record.moves().len()));
    if record.result() != Recorded::Unknown {
        parts.push(format!("recorded result {}", record.result()));
    }
    parts.join(", ")
}

/// Result and reason, with the ply.
fn verdict(record: &Record, ruling: &Ruling) -> String {
    let result = words::result(ruling.result());
    let ply = ruling.ply;
    let Some((_, cause)) = ruling.end else {
        return format!("{result} after ply {ply}");
    };
    let reason = words::cause(cause);
    match cause {
        Cause::IllegalMove => {
            let stop = illegal_move(record)
                .map(ToString::to_string)
                .unwrap_or_default();
            format!("{result}: {reason} at ply {}: {stop}", ply + 1)
        }
        Cause::Rule(Reason::Repetition) => {
            let about = ruling.cycle.as_ref().map(|cycle| {
                let report = &cycle.report;
                match report.offender {
                    Some(side) => conduct::describe(report, side, ruling.rules.set),
                    None => "nobody must vary (双方不变作和)".to_owned(),
                }
            });
            format!(
                "{result}: {reason} at ply {ply}, {}",
                about.unwrap_or_default()
            )
        }
        Cause::Rule(_) => format!("{result}: {reason} at ply {ply}"),
    }
}

fn write_cycle(text: &mut String, cycle: &Cycle, ruling: &Ruling) {
    let Cycle { report, positions } = cycle;
    let CycleReport {
        start,
        length,
        occurrences,
        ..
    } = *report;
    let _ = writeln!(
        text,
        "{INDENT}{INDENT}Cycle: plies {} to {}, {length} plies; the {} occurrence of the position.",
        start + 1,
        start + length,
        words::ordinal(occurrences),
    );
    if ruling.end.is_none() {
        let outlook = match report.offender {
            Some(side) => format!("{side} must vary"),
            None => "nobody must vary".to_owned(),
        };
        let _ = writeln!(text, "{INDENT}{INDENT}Not yet ruled on; {outlook}.");
    }
    for side in Color::ALL {
        let conduct = conduct::describe(report, side, ruling.rules.set);
        let class = report
            .classes
            .map(|classes| format!(": {}", words::class(classes[side.index()])));
        let _ = writeln!(
            text,
            "{INDENT}{INDENT}{side}: {conduct}{}",
            class.unwrap_or_default()
        );
    }
    for line in positions[0].to_string().lines() {
        let _ = writeln!(text, "{INDENT}{INDENT}{INDENT}{line}");
    }
    let scenes = positions.iter().zip(&positions[1..]);
    for (index, (ply, (before, after))) in report.plies.iter().zip(scenes).enumerate() {
        let _ = writeln!(
            text,
            "{INDENT}{INDENT}{:>3}. {:5} {} {}  {}",
            start + index + 1,
            before.side_to_move().to_string(),
            ply.mv,
            chinese(before, ply.mv),
            words::kind(ply.kind),
        );
        for line in evidence(ply, after, ruling.rules.set) {
            let _ = writeln!(text, "{INDENT}{INDENT}{INDENT}{INDENT}{INDENT}{line}");
        }
    }
}

/// The move in Chinese notation.
pub(super) fn chinese(position: &Position, mv: Move) -> String {
    position.write_move(mv, Notation::Chinese(Script::Simplified))
}

/// What makes the ply what it is, a line each.
fn evidence(ply: &PlyReport, after: &Position, set: RuleSet) -> Vec<String> {
    let mut lines = Vec::new();
    for &checker in &ply.checkers {
        lines.push(format!("check by {}", words::man(checker)));
    }
    if let Some(check) = ply.mate_threat {
        let unimportant = if matches!(set, RuleSet::Axf | RuleSet::Computer | RuleSet::Sky) {
            ", which this rule set allows"
        } else {
            ""
        };
        lines.push(format!("threatens mate, {check} first{unimportant}"));
    }
    if let Some(threat) = ply.check_capture {
        let victim = threat.victim.and_then(|square| man_on(after, square));
        let victim = victim.map_or(
            "a man, which one depends on the answers".to_owned(),
            words::man,
        );
        lines.push(format!(
            "threatens to win {victim} by checks, {} first",
            threat.check
        ));
    }
    for attack in ply.chases.iter().chain(&ply.harmless) {
        let verb = match attack.harmless {
            None => "chases",
            Some(_) => "attacks",
        };
        let mut line = format!(
            "{} {verb} {}, {}",
            words::man(attack.attacker),
            words::man(attack.victim),
            words::manner(attack.manner),
        );
        if let Some(reason) = attack.harmless {
            let _ = write!(line, "; no chase: {}", words::harmless(reason));
        }
        lines.push(line);
        lines.extend(roots(attack, after));
    }
    lines
}

fn roots(attack: &AttackReport, after: &Position) -> Vec<String> {
    let victim = attack.victim.square;
    if attack.roots.is_empty() {
        return vec![format!("{INDENT}nothing protects {victim}")];
    }
    let describe = |fault: Option<RootFault>| match fault {
        None => String::new(),
        Some(RootFault::Exposes(square)) => {
            let attacker = man_on(after, square).map(words::man).unwrap_or_default();
            format!(": taking back exposes its king to {attacker}")
        }
        Some(RootFault::OutOfReach) => format!(": after the capture it does not reach {victim}"),
    };
    attack
        .roots
        .iter()
        .map(|root| {
            let (man, worth) = (words::man(root.man), words::root(root.fault));
            format!(
                "{INDENT}protected by {man}, {worth}{}",
                describe(root.fault)
            )
        })
        .collect()
}

fn man_on(position: &Position, square: Square) -> Option<Man> {
    let piece = position.piece_on(square)?;
    Some(Man { piece, square })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read_all;
    use crate::rules::Rules;

    fn report_on(text: &str, set: RuleSet) -> String {
        let record = read_all(text.as_bytes()).unwrap().remove(0);
        let ruling = Ruling::of(&record, Rules::of(set), None);
        report("game", &record, &[ruling])
    }

    /// The horse protects the cannon, but may not leave the file of the kings.
    const FALSE_ROOT: &str = "4k4/9/4n4/9/3c5/9/9/9/5R3/4K4 w moves \
        f1d1 d5f5 d1f1 f5d5 f1d1 d5f5 d1f1 f5d5 f1d1";

    #[test]
    fn the_evidence_names_men_roots_and_reasons() {
        let text = report_on(FALSE_ROOT, RuleSet::Cxa);
        for line in [
            "game: 9 plies",
            "CXA (中国象棋协会): Red loses (红负): repetition (循环反复) at ply 8, perpetual chase (长捉)",
            "The record goes on to ply 9.",
            "Cycle: plies 5 to 8, 4 plies; the 3rd occurrence of the position.",
            "Red: perpetual chase (长捉): forbidden (禁止)",
            "Black: idle moves (闲): allowed (允许)",
            " 5  . . . c . . . . .",
            "5. Red   f1d1 车四平六  chase (捉)",
            "rook (车) d1 chases cannon (炮) d5, by the man that moved",
            "protected by horse (马) e7, false root (假根): \
             taking back exposes its king to king (帅) e0",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn harmless_attacks_say_why() {
        // A pawn between the kings frees the horse.
        let real_root = FALSE_ROOT.replacen("c5/9/9/", "c5/9/4P4/", 1);
        let text = report_on(&real_root, RuleSet::Axf);
        assert!(text.contains("draw (和棋): repetition"), "{text}");
        assert!(
            text.contains("no chase: follows a protected man (跟)"),
            "{text}"
        );
        assert!(text.contains("horse (马) e7, real root (真根)\n"), "{text}");
    }

    #[test]
    fn a_summary_is_one_line() {
        let record = read_all(FALSE_ROOT.as_bytes()).unwrap().remove(0);
        let rulings =
            [RuleSet::Cxa, RuleSet::None].map(|set| Ruling::of(&record, Rules::of(set), None));
        assert_eq!(
            summary("game", &record, &rulings),
            "game: CXA: Red loses (红负): repetition (循环反复) at ply 8, perpetual chase (长捉); \
             None: draw (和棋): repetition (循环反复) at ply 8, nobody must vary (双方不变作和)\n"
        );
    }
}
