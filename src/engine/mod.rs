//! The one core that both protocols drive.
//!
//! Leans on `types` to `search`. An [`Engine`] holds the position, the options
//! and the searcher; what takes time runs on a thread of its own and reports
//! [`News`], which the owner hands back through [`Engine::on_news`]. Everything
//! the engine has to say comes as [`Output`]; it prints nothing and knows no
//! protocol.

mod book;
mod configure;
mod describe;
mod evaluation;
mod event;
mod job;
mod memory;
mod offers;
mod option_table;
pub mod options;
mod ranks;
mod request;
mod settings;
mod strength;
#[cfg(test)]
mod tests;
mod thinking;
mod win_rate;

pub use event::{BestMove, Info, MAX_CP, NoMove, Offer, Output, RULE_WIN_CP, ShownScore};
pub use job::{Finished, LineJob, News, Sink};
pub use options::OptionError;
pub use ranks::Ranks;
pub use request::GoRequest;
pub use settings::{Amount, BookSide, FULL_SKILL, Settings, Style};
pub use win_rate::{attackers, win_draw_loss};

use crate::eval::nnue::Network;
use crate::position::{Position, SetupError};
use crate::rules::{Game, GameError, Rules};
use crate::search::{Outcome, Searcher, Signals, Table, TableEntry, table_key};
use crate::types::Move;
use configure::new_searcher;
use offers::Offers;
use std::sync::Arc;
use std::time::Instant;
use thinking::{Answer, Thinking};

/// Why a position was not set as wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The FEN is bad; the position before it stays.
    #[error("Unsupported position: {0}")]
    Setup(#[from] SetupError),
    /// A move is illegal; the position before that move holds.
    #[error("Illegal move: {0}; the position before it holds")]
    Move(#[from] GameError),
}

enum Activity {
    Thinking(Box<Thinking>),
    Lines(Arc<Signals>),
}

/// A position, options, and a searcher that thinks about it.
pub struct Engine {
    settings: Settings,
    game: Game,
    banned: Vec<Move>,
    /// `None` while a search has it.
    searcher: Option<Searcher>,
    /// The searcher's table, which can be asked meanwhile.
    table: Arc<Table>,
    /// What evaluates; `None`: by hand.
    network: Option<Arc<Network>>,
    /// The opening books.
    library: book::Library,
    activity: Option<Activity>,
    sink: Sink,
    offers: Offers,
}

impl Engine {
    /// An engine at the start position with default options. News of its jobs
    /// go to the sink, whose owner must hand them to [`Self::on_news`].
    pub fn new(sink: Sink) -> Self {
        let settings = Settings::default();
        let network = evaluation::choose(&settings).unwrap_or_default();
        let searcher = new_searcher(&settings, network.clone());
        Self {
            table: searcher.table(),
            network,
            searcher: Some(searcher),
            library: book::Library::of(&settings).0,
            settings,
            game: Game::new(Position::start()),
            banned: Vec::new(),
            activity: None,
            sink,
            offers: Offers::default(),
        }
    }

    /// The values of the options.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether a search or another job is going on.
    pub fn is_busy(&self) -> bool {
        self.activity.is_some()
    }

    /// Whether something is going on that only the client is sure to end.
    pub fn waits_for_client(&self) -> bool {
        match &self.activity {
            Some(Activity::Thinking(thinking)) => {
                thinking.open_ended || thinking.signals.is_pondering()
            }
            _ => false,
        }
    }

    /// Whether the answer has been given before the search has ended.
    pub fn has_answered(&self) -> bool {
        matches!(&self.activity, Some(Activity::Thinking(thinking)) if thinking.is_answered())
    }

    /// When the answer is due even if the search has not ended by then, which a
    /// busy machine may prevent: see [`Self::answer_now`].
    pub fn answer_due(&self) -> Option<Instant> {
        match &self.activity {
            Some(Activity::Thinking(thinking)) => thinking.due(),
            _ => None,
        }
    }

    /// Answers with the best line so far. The engine stays busy until the search
    /// has ended.
    pub fn answer_now(&mut self) -> Vec<Output> {
        let Some(Activity::Thinking(thinking)) = &mut self.activity else {
            return Vec::new();
        };
        let late = thinking.due().map(|due| due.elapsed());
        log::debug!("answering without the search, {late:?} after that was due");
        let answer = thinking.answer_without_search(&self.settings);
        answer.with_offer(&mut self.offers, &self.settings)
    }

    /// Whether a search, not another job, is going on.
    pub fn is_thinking(&self) -> bool {
        matches!(self.activity, Some(Activity::Thinking(_)))
    }

    /// Forgets the last game. Options stay. Only when not busy.
    pub fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
        self.offers = Offers::default();
    }

    /// Sets a position (`None`: the start position) and plays moves from it.
    /// Bans are lifted. A running search is not disturbed.
    ///
    /// # Errors
    /// If the FEN is bad, everything stays; if a move is illegal, the position
    /// before it holds.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[Move]) -> Result<(), PositionError> {
        let mut game = new_game(fen, self.settings.rules)?;
        let played = game.play(moves.iter().copied());
        self.game = game;
        self.banned.clear();
        Ok(played?)
    }

    /// Forbids moves at the root until the next position; illegal ones are
    /// ignored.
    pub fn ban_moves(&mut self, moves: &[Move]) {
        for &mv in moves {
            let legal = self.game.position().is_legal(mv, self.game.legality());
            if legal && !self.banned.contains(&mv) {
                self.banned.push(mv);
            }
        }
    }

    /// Starts to think. Only when not busy; the answer comes with the news, or
    /// at once if there is nothing to think about.
    pub fn go(&mut self, go: GoRequest) -> Vec<Output> {
        if go.limits.depth == Some(0) {
            return self.static_answer();
        }
        let mut outputs = Vec::new();
        match self
            .library
            .answer(&self.game, &self.banned, &go, &self.settings)
        {
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
            Err(error) => outputs.push(Output::message(error.to_string())),
        }
        let Some(mut searcher) = self.searcher.take() else {
            return outputs;
        };
        if !self.settings.use_hash {
            searcher.clear_hash();
        }
        let (request, thinking) = request::prepare(&self.game, &self.banned, &self.settings, go);
        if thinking.plays_banned {
            let text = "all moves are banned, the best of them is played";
            outputs.push(Output::message(text));
        }
        let no_move = thinking.candidates.is_empty();
        let signals = Arc::clone(&thinking.signals);
        self.activity = Some(Activity::Thinking(Box::new(thinking)));
        if no_move {
            self.searcher = Some(searcher);
            outputs.extend(self.end_thinking(Some(Outcome::default())));
        } else if let Err(error) = job::search(searcher, request, signals, Arc::clone(&self.sink)) {
            log::error!("cannot start a search thread: {error}");
            outputs.extend(self.on_failed_search());
        }
        outputs
    }

    fn static_answer(&self) -> Vec<Output> {
        let mut outputs = Vec::new();
        let score = describe::static_score(self.game.position(), self.network.as_ref());
        outputs.push(Output::Info(Info {
            depth: Some(0),
            score: Some(score.into()),
            ..Info::default()
        }));
        outputs.push(Output::NoMove(NoMove::DepthZero));
        outputs
    }

    /// Counts legal move sequences. Only when not busy.
    pub fn perft(&mut self, depth: u32) -> Vec<Output> {
        let position = self.game.position().clone();
        let ranks = self.settings.ranks;
        self.start_lines(Box::new(move |signals, print| {
            job::divide(position, depth, ranks, signals, print);
        }))
    }

    /// Runs a job that prints lines. Only when not busy.
    pub fn start_lines(&mut self, job: LineJob) -> Vec<Output> {
        if self.is_busy() {
            return Vec::new();
        }
        let signals = Arc::new(Signals::new(false));
        match job::lines(job, Arc::clone(&signals), Arc::clone(&self.sink)) {
            Ok(()) => {
                self.activity = Some(Activity::Lines(signals));
                Vec::new()
            }
            Err(error) => vec![Output::message(format!("cannot start a thread: {error}"))],
        }
    }

    /// Ends a search as soon as possible. The answer may come at once.
    pub fn stop(&mut self) -> Vec<Output> {
        match &mut self.activity {
            Some(Activity::Thinking(thinking)) => {
                thinking.stop();
                self.release()
            }
            Some(Activity::Lines(signals)) => {
                signals.stop();
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// The predicted move was played, perhaps with a draw offer.
    pub fn ponder_hit(&mut self, draw_offered: bool) -> Vec<Output> {
        let Some(Activity::Thinking(thinking)) = &mut self.activity else {
            return Vec::new();
        };
        thinking.draw_offered |= draw_offered;
        thinking.signals.ponder_hit();
        self.release()
    }

    /// Takes in what a job has reported.
    pub fn on_news(&mut self, news: News) -> Vec<Output> {
        match news {
            News::Line(line) => vec![Output::Line(line)],
            News::Done(result) => {
                self.activity = None;
                match result {
                    Ok(()) => Vec::new(),
                    Err(report) => {
                        log::error!("a job failed: {report}");
                        vec![Output::message("an internal error ended this")]
                    }
                }
            }
            News::Search(event) => match &mut self.activity {
                Some(Activity::Thinking(thinking)) => {
                    let info = thinking.on_event(event, &self.settings);
                    info.map(Output::Info).into_iter().collect()
                }
                _ => Vec::new(),
            },
            News::Searched(Ok(finished)) => {
                self.searcher = Some(finished.searcher);
                self.end_thinking(Some(finished.outcome))
            }
            News::Searched(Err(report)) => {
                log::error!(
                    "the search failed on {}: {report}",
                    self.game.position().to_fen()
                );
                self.on_failed_search()
            }
        }
    }

    /// The searcher is lost: a new one, and an answer all the same.
    fn on_failed_search(&mut self) -> Vec<Output> {
        let searcher = new_searcher(&self.settings, self.network.clone());
        self.table = searcher.table();
        self.searcher = Some(searcher);
        self.end_thinking(None)
    }

    fn end_thinking(&mut self, outcome: Option<Outcome>) -> Vec<Output> {
        let Some(Activity::Thinking(thinking)) = &mut self.activity else {
            return Vec::new();
        };
        if thinking.is_answered() {
            self.activity = None;
            return Vec::new();
        }
        let answer = thinking.on_end(outcome, &self.settings);
        self.finish(answer)
    }

    fn release(&mut self) -> Vec<Output> {
        let Some(Activity::Thinking(thinking)) = &mut self.activity else {
            return Vec::new();
        };
        let answer = thinking.release(&self.settings);
        self.finish(answer)
    }

    fn finish(&mut self, answer: Option<Answer>) -> Vec<Output> {
        let Some(answer) = answer else {
            return Vec::new();
        };
        self.activity = None;
        answer.with_offer(&mut self.offers, &self.settings)
    }

    /// What the hash table knows about a position, also while a search runs.
    ///
    /// # Errors
    /// If there is no such position.
    pub fn probe(
        &self,
        fen: Option<&str>,
        moves: &[Move],
    ) -> Result<Option<TableEntry>, PositionError> {
        let mut game = new_game(fen, self.settings.rules)?;
        game.play(moves.iter().copied())?;
        Ok(self.table.probe(table_key(&game), 0))
    }

    /// The position in words.
    pub fn describe(&self) -> Vec<String> {
        describe::position(&self.game)
    }

    /// The static evaluation in words; the last line begins with `Final`.
    pub fn evaluation(&self) -> Vec<String> {
        describe::evaluation(self.game.position(), self.network.as_ref())
    }
}

fn new_game(fen: Option<&str>, rules: Rules) -> Result<Game, SetupError> {
    let position = match fen {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::start(),
    };
    Ok(Game::with_rules(position, rules))
}
