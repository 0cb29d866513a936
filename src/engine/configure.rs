//! Setting options, and what follows from them.

use super::book::Library;
use super::options::{self, Effect, OptionError, Value};
use super::settings::Settings;
use super::{Engine, evaluation, memory};
use crate::eval::nnue::Network;
use crate::search::Searcher;
use std::sync::Arc;

impl Engine {
    /// Sets an option. Only when not busy.
    ///
    /// # Errors
    /// If there is no such option, or it cannot take the value.
    pub fn set_option(&mut self, name: &str, value: Option<&[u8]>) -> Result<(), OptionError> {
        let row = options::find(name)?;
        let value = options::parse_value(row, name, value)?;
        (row.store)(&mut self.settings, &value);
        match row.effect {
            Effect::None => {}
            Effect::NewGame => self.new_game(),
            Effect::ClearHash => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear_hash();
                }
            }
            Effect::Resources => {
                if let Some(searcher) = &mut self.searcher {
                    memory::fit(searcher, &mut self.settings)?;
                    self.table = searcher.table();
                }
            }
            Effect::Book => {
                let (library, error) = Library::of(&self.settings);
                self.library = library;
                error.map_or(Ok(()), Err)?;
            }
            Effect::Rules => self.game.set_rules(self.settings.rules),
            Effect::Evaluation => {
                self.network = evaluation::choose(&self.settings).inspect_err(|_| {
                    self.settings.eval_file.clear();
                })?;
                if let Some(searcher) = &mut self.searcher {
                    searcher.set_network(self.network.clone());
                }
            }
            Effect::Unsupported if value == Value::Check(true) => {
                return Err(OptionError::BadValue {
                    option: name.to_owned(),
                    value: "true".to_owned(),
                });
            }
            Effect::Unsupported => {}
        }
        Ok(())
    }
}

/// A searcher as the settings want it; with the smallest table if the memory for
/// theirs cannot be had.
pub(super) fn new_searcher(settings: &Settings, network: Option<Arc<Network>>) -> Searcher {
    let threads = settings.effective_threads();
    let mut searcher = Searcher::new(threads, settings.effective_hash_mb())
        .or_else(|error| {
            log::error!("{error}, making do with 1 MB");
            Searcher::new(threads, 1)
        })
        .expect("a megabyte can be had");
    searcher.set_network(network);
    searcher
}
