//! From a `go` to what the search is asked.

use super::settings::{Amount, Settings, Style};
use super::strength::Strength;
use super::thinking::Thinking;
use crate::rules::Game;
use crate::search::{Budget, Clock, Limits, Pruning, Request, Signals, Temper};
use crate::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// What a draw is worth to a solid and, negated, to a risky player.
const CONTEMPT_CP: Score = 30;

/// How long beyond its hard limit a search may always take.
const SEARCH_PATIENCE: Duration = Duration::from_millis(5);

/// What to think about, and for how long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// What ends the search. The overhead is added from the settings.
    pub limits: Limits,
    /// If not empty, only these moves are considered.
    pub only_moves: Vec<Move>,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
}

/// The request to the search, weakened where the settings say so, and what
/// will turn its outcome into an answer.
pub(super) fn prepare(
    game: &Game,
    banned: &[Move],
    settings: &Settings,
    go: GoRequest,
) -> (Request, Thinking) {
    let is_legal = |mv: &Move| game.position().is_legal(*mv, game.legality());
    let mut request = Request {
        only_moves: go.only_moves.into_iter().filter(is_legal).collect(),
        banned_moves: banned.to_vec(),
        multi_pv: settings.multi_pv,
        ..Request::new(game.clone(), go.limits)
    };
    request.temper = Temper {
        pruning: match settings.pruning {
            Amount::None => Pruning::None,
            Amount::Tiny | Amount::Small => Pruning::Small,
            Amount::Medium => Pruning::Medium,
            Amount::Large | Amount::Huge => Pruning::Full,
        },
        contempt: match settings.style {
            Style::Solid => -CONTEMPT_CP,
            Style::Normal => 0,
            Style::Risky => CONTEMPT_CP,
        },
    };
    request.limits.ponders = settings.ponder;
    request.limits.overhead = Duration::from_millis(settings.move_overhead_ms);
    let signals = Arc::new(Signals::new(request.limits.ponder));
    let (candidates, plays_banned) = candidates(&request);
    let mut thinking = Thinking::new(game.clone(), candidates, signals);
    thinking.plays_banned = plays_banned;
    thinking.infinite = request.limits.infinite;
    thinking.open_ended = is_open_ended(&request.limits);
    thinking.draw_offered = go.draw_offered;
    thinking.last_call = last_call(&request);
    if !request.limits.infinite {
        thinking.strength = Strength::of(settings);
    }
    if let Some(strength) = &thinking.strength {
        strength.weaken(&mut request);
    }
    (request, thinking)
}

/// The moves that may be played, and whether bans had to give way because they
/// left none.
fn candidates(request: &Request) -> (Vec<Move>, bool) {
    let only = &request.only_moves;
    let mut wanted: Vec<Move> = request.game.position().legal_moves().into_iter().collect();
    wanted.retain(|mv| only.is_empty() || only.contains(mv));
    let is_free = |mv: &&Move| !request.banned_moves.contains(mv);
    let free: Vec<Move> = wanted.iter().filter(is_free).copied().collect();
    if free.is_empty() && !wanted.is_empty() {
        return (wanted, true);
    }
    (free, false)
}

/// When the answer must leave whatever the search says: after its hard limit and
/// before the clock falls.
fn last_call(request: &Request) -> Option<Duration> {
    let limits = &request.limits;
    let budget = Budget::new(limits, request.game.position().move_number())?;
    let falls_after = match limits.clock {
        Clock::None => return None,
        Clock::MoveTime(time) | Clock::Game { time, .. } => time,
    };
    let on_the_way = limits.overhead.min(falls_after / 4);
    Some((falls_after - on_the_way).max(budget.hard + SEARCH_PATIENCE))
}

/// Whether a search may go on for ever; a mate may not be there to be found.
fn is_open_ended(limits: &Limits) -> bool {
    let is_limited = limits.depth.is_some() || limits.nodes.is_some();
    limits.infinite || !is_limited && limits.clock == Clock::None
}
