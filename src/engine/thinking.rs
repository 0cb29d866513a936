//! One search, from the request to the answer.
//!
//! Collects what the search reports, decides what of it is shown, and turns the
//! outcome into an answer that keeps the promises of the protocols: a legal
//! move whenever there is one, an exact line that begins with it, nothing
//! before the client allows it.

use super::event::{BestMove, Info, NoMove, Output};
use super::offers::{self, Drawish, Offers};
use super::settings::Settings;
use super::strength::{self, Strength};
use super::win_rate::{attackers, win_draw_loss};
use crate::position::Position;
use crate::rules::Game;
use crate::search::{Event, Line, Outcome, Progress, Signals};
use crate::types::{Bound, Move, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The root move being searched is of interest only in a long search.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(1);

/// How long after a stop a search may take to answer itself. On a busy machine its
/// threads may be waiting for a processor; then the best line so far is the answer.
const STOP_PATIENCE: Duration = Duration::from_millis(15);

/// A search that is running, or finished and held back.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) game: Game,
    /// Legal moves that may be played.
    pub(super) candidates: Vec<Move>,
    /// Whether they are banned, all of them.
    pub(super) plays_banned: bool,
    pub(super) signals: Arc<Signals>,
    /// Whether the answer waits for a stop.
    pub(super) infinite: bool,
    /// Whether nothing is sure to end the search but a stop.
    pub(super) open_ended: bool,
    pub(super) draw_offered: bool,
    pub(super) strength: Option<Strength>,
    /// When the clock calls for the answer even if the search does not end.
    pub(super) last_call: Option<Duration>,
    started: Instant,
    /// When a stop came.
    stopped_at: Option<Instant>,
    /// The client has its answer, the search is yet to end.
    answered: bool,
    /// The exact lines of the newest iteration, by rank.
    lines: Vec<Line>,
    /// The first move of the last best line shown, if that was exact.
    last_shown: Option<Move>,
    progress: Progress,
    /// The end of the search, while it must wait for the client.
    held: Option<Option<Outcome>>,
}

/// The answer to a search, and what an offer depends on.
#[derive(Debug)]
pub(super) struct Answer {
    outputs: Vec<Output>,
    score: Option<Score>,
    draw_offered: bool,
    nobody_can_win: bool,
}

impl Answer {
    /// What to say, with an offer where one is due.
    pub(super) fn with_offer(mut self, offers: &mut Offers, settings: &Settings) -> Vec<Output> {
        if let (Some(score), Some(Output::BestMove(best))) = (self.score, self.outputs.last_mut()) {
            let drawish = Drawish {
                offered: self.draw_offered,
                nobody_can_win: self.nobody_can_win,
            };
            best.offer = offers.decide(score, drawish, settings);
        }
        self.outputs
    }
}

impl Thinking {
    pub(super) fn new(game: Game, candidates: Vec<Move>, signals: Arc<Signals>) -> Self {
        Self {
            game,
            candidates,
            plays_banned: false,
            signals,
            infinite: false,
            open_ended: false,
            draw_offered: false,
            strength: None,
            last_call: None,
            started: Instant::now(),
            stopped_at: None,
            answered: false,
            lines: Vec::new(),
            last_shown: None,
            progress: Progress::default(),
            held: None,
        }
    }

    /// Asks the search to answer.
    pub(super) fn stop(&mut self) {
        self.stopped_at.get_or_insert_with(Instant::now);
        self.signals.stop();
    }

    /// Whether the client has had its answer already.
    pub(super) fn is_answered(&self) -> bool {
        self.answered
    }

    /// When to answer without waiting any longer; `None`: not yet known, or there
    /// is nothing to answer with.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.answered || self.lines.is_empty() {
            return None;
        }
        let stop = self.stopped_at.map(|at| at + STOP_PATIENCE);
        let call = |after| Some(self.signals.clock_start()? + after);
        let clock = self.last_call.filter(|_| !self.infinite).and_then(call);
        stop.into_iter().chain(clock).min()
    }

    /// The answer as far as it is known; the search may take its time to end.
    pub(super) fn answer_without_search(&mut self, settings: &Settings) -> Answer {
        self.stop();
        self.answered = true;
        self.answer(None, settings)
    }

    /// What of a report is shown.
    pub(super) fn on_event(&mut self, event: Event, settings: &Settings) -> Option<Info> {
        if self.answered {
            return None;
        }
        match event {
            Event::Line(line, progress) => self.on_line(line, progress, settings),
            Event::CurrentMove { depth, mv, number } => {
                (self.started.elapsed() >= CURRENT_MOVE_AFTER).then(|| Info {
                    depth: Some(depth),
                    current_move: Some(mv),
                    current_number: Some(number),
                    ..Info::default()
                })
            }
            Event::Progress(progress) => {
                self.progress = progress;
                Some(counters(progress))
            }
        }
    }

    fn on_line(&mut self, line: Line, progress: Progress, settings: &Settings) -> Option<Info> {
        self.progress = progress;
        let first = *line.pv.first()?;
        let exact = line.bound == Bound::Exact;
        let shown = line.rank <= settings.multi_pv;
        let info = shown.then(|| line_info(&line, self.game.position(), progress, settings));
        if line.rank == 1 && shown {
            self.last_shown = exact.then_some(first);
        }
        if exact && line.rank >= 1 {
            self.lines.retain(|other| other.rank != line.rank);
            let place = self.lines.partition_point(|other| other.rank < line.rank);
            self.lines.insert(place, line);
        }
        info
    }

    /// Notes the end of the search (`None`: it failed). Returns the answer
    /// unless the client must ask for it first.
    pub(super) fn on_end(
        &mut self,
        outcome: Option<Outcome>,
        settings: &Settings,
    ) -> Option<Answer> {
        if let Some(outcome) = &outcome {
            self.progress = outcome.progress;
        }
        self.held = Some(outcome);
        self.release(settings)
    }

    /// The answer, once the search has ended and the client allows it.
    pub(super) fn release(&mut self, settings: &Settings) -> Option<Answer> {
        let waits = self.infinite || self.signals.is_pondering();
        if waits && !self.signals.is_stopped() {
            return None;
        }
        let outcome = self.held.take()?;
        Some(self.answer(outcome, settings))
    }

    fn answer(&mut self, outcome: Option<Outcome>, settings: &Settings) -> Answer {
        let mut best = outcome.as_ref().and_then(|outcome| outcome.best);
        if let Some(strength) = self.strength {
            let key = self.game.position().key();
            let mut random = strength::random(settings.seed, key);
            best = strength
                .choose(&self.lines, &self.candidates, &mut random)
                .or(best);
        }
        if best.is_none_or(|mv| !self.candidates.contains(&mv)) {
            if let Some(mv) = best {
                log::error!("the search chose {mv}, which may not be played");
            }
            best = self.fallback();
        }
        let Some(best) = best else {
            return Answer {
                outputs: vec![Output::NoMove(NoMove::Lost)],
                score: None,
                draw_offered: false,
                nobody_can_win: false,
            };
        };
        let line = self.final_line(best, outcome.as_ref());
        let mut outputs = Vec::new();
        if self.last_shown != Some(best) {
            let info = line_info(&line, self.game.position(), self.progress, settings);
            outputs.push(Output::Info(info));
        }
        let expected = outcome.filter(|outcome| outcome.best == Some(best));
        let ponder = expected
            .and_then(|outcome| outcome.ponder)
            .or_else(|| line.pv.get(1).copied());
        outputs.push(Output::BestMove(BestMove {
            mv: best,
            ponder: ponder.filter(|&reply| self.can_be_pondered(best, reply)),
            offer: None,
        }));
        Answer {
            outputs,
            score: Some(line.score),
            draw_offered: self.draw_offered,
            nobody_can_win: offers::nobody_can_win(self.game.position()),
        }
    }

    /// A move to play when the search has none: the best one reported so far,
    /// else the first.
    fn fallback(&self) -> Option<Move> {
        let reported = self.lines.iter().filter_map(|line| line.pv.first());
        let mut playable = reported.filter(|mv| self.candidates.contains(mv));
        playable.next().or(self.candidates.first()).copied()
    }

    /// The line that begins with the move to play: as reported, or else made
    /// from the outcome.
    fn final_line(&self, best: Move, outcome: Option<&Outcome>) -> Line {
        let outcome = outcome.filter(|outcome| outcome.best == Some(best));
        let reported = self.lines.iter().find(|line| line.pv[0] == best);
        let mut line = match (reported, outcome) {
            (Some(line), _) => line.clone(),
            (None, Some(outcome)) => Line {
                depth: outcome.depth.max(1),
                selective_depth: outcome.depth.max(1),
                rank: 1,
                score: outcome.score,
                bound: Bound::Exact,
                pv: std::iter::once(best).chain(outcome.ponder).collect(),
            },
            (None, None) => Line {
                depth: 1,
                selective_depth: 1,
                rank: 1,
                score: self.lines.first().map_or(0, |line| line.score),
                bound: Bound::Exact,
                pv: vec![best],
            },
        };
        line.rank = 1;
        line
    }

    /// Whether the reply is legal and leaves a game to go on with.
    fn can_be_pondered(&self, best: Move, reply: Move) -> bool {
        let mut game = self.game.clone();
        if game.play([best, reply]).is_err() {
            return false;
        }
        let goes_on = game.position().has_legal_move(game.legality());
        goes_on && game.verdict(game.ply_count()).is_none()
    }
}

fn counters(progress: Progress) -> Info {
    Info {
        nodes: Some(progress.nodes),
        nodes_per_second: Some(progress.nodes_per_second()),
        hashfull: Some(progress.hashfull),
        time_ms: Some(progress.time.as_millis() as u64),
        ..Info::default()
    }
}

fn line_info(line: &Line, position: &Position, progress: Progress, settings: &Settings) -> Info {
    Info {
        depth: Some(line.depth),
        selective_depth: Some(line.selective_depth),
        rank: Some(line.rank),
        score: Some(line.score.into()),
        bound: (line.bound != Bound::Exact).then_some(line.bound),
        wdl: settings
            .show_wdl
            .then(|| win_draw_loss(line.score, attackers(position))),
        table_hits: Some(0),
        pv: line.pv.clone(),
        ..counters(progress)
    }
}
