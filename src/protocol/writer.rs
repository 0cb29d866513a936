//! Whole lines out, each flushed, in the dialect of the last greeting.

use super::{Dialect, Reply};
use crate::engine::{Info, NoMove, Output, Ranks, Settings, ShownScore};
use std::io::{self, Write};

/// Writes replies.
pub(super) struct Writer<W> {
    output: W,
    /// `None` before any greeting: somebody types by hand.
    pub(super) dialect: Option<Dialect>,
    /// How moves are numbered.
    pub(super) ranks: Ranks,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            output,
            dialect: None,
            ranks: Ranks::default(),
        }
    }

    /// The dialect to write; UCI before any greeting.
    pub(super) fn written_dialect(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Uci)
    }

    /// Writes a line and flushes it.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub(super) fn write(&mut self, reply: &Reply) -> io::Result<()> {
        let mut line = reply.print(self.written_dialect(), self.ranks);
        line.push('\n');
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }

    /// Writes what the engine says, as the dialect has words for it.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub(super) fn show(&mut self, output: Output, settings: &Settings) -> io::Result<()> {
        match output {
            Output::Info(info) => match self.fitted(info, settings) {
                Some(info) => self.write(&Reply::Info(info)),
                None => Ok(()),
            },
            Output::BestMove(best) => self.write(&Reply::BestMove(best)),
            Output::NoMove(reason) => self.no_move(reason),
            Output::Line(line) => self.write(&Reply::Text(line)),
        }
    }

    fn no_move(&mut self, reason: NoMove) -> io::Result<()> {
        if self.written_dialect() == Dialect::Uci && reason == NoMove::Lost {
            self.write(&Reply::Info(Info {
                depth: Some(0),
                score: Some(ShownScore::Mate(0)),
                ..Info::default()
            }))?;
        }
        self.write(&Reply::NoMove)
    }

    /// A thinking line without what the clients of the dialect stumble over.
    fn fitted(&self, mut info: Info, settings: &Settings) -> Option<Info> {
        if self.written_dialect() == Dialect::Uci {
            return Some(info);
        }
        if !info.is_exact() {
            return None; // UCCI has no word for a bound
        }
        if settings.multi_pv == 1 {
            info.rank = None;
        }
        if info.current_move.is_some() {
            info.depth = None;
        }
        info.current_number = None;
        info.table_hits = None;
        if !settings.debug {
            info.selective_depth = None;
            info.hashfull = None;
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Bound;

    fn written(dialect: Option<Dialect>, outputs: &[Output]) -> String {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.dialect = dialect;
        for output in outputs {
            writer.show(output.clone(), &Settings::default()).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_dialect_gets_what_it_has_words_for() {
        let line = Info {
            depth: Some(6),
            selective_depth: Some(9),
            rank: Some(1),
            score: Some(ShownScore::Cp(4)),
            nodes: Some(150_000),
            nodes_per_second: Some(1_250_000),
            hashfull: Some(3),
            table_hits: Some(0),
            time_ms: Some(120),
            pv: vec!["b0c2".parse().unwrap(), "b9c7".parse().unwrap()],
            ..Info::default()
        };
        let fail_high = Info {
            bound: Some(Bound::Lower),
            ..line.clone()
        };
        let outputs = [
            Output::Info(fail_high),
            Output::Info(line),
            Output::NoMove(NoMove::Lost),
        ];
        assert_eq!(
            written(Some(Dialect::Ucci), &outputs),
            "info depth 6 score 4 time 120 nodes 150000 nps 1250000 pv b0c2 b9c7\n\
             nobestmove\n"
        );
        assert_eq!(
            written(None, &outputs),
            "info depth 6 seldepth 9 multipv 1 score cp 4 lowerbound nodes 150000 nps 1250000 \
             hashfull 3 tbhits 0 time 120 pv b0c2 b9c7\n\
             info depth 6 seldepth 9 multipv 1 score cp 4 nodes 150000 nps 1250000 \
             hashfull 3 tbhits 0 time 120 pv b0c2 b9c7\n\
             info depth 0 score mate 0\n\
             bestmove (none)\n"
        );
    }
}
