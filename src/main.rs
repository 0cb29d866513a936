//! The program: speaks UCCI and UCI on standard input and output.

use chuhe::protocol::{Hooks, run};
use std::io::{IsTerminal, stdin, stdout};

fn main() {
    let hooks = Hooks {
        bench: |_, print| print("0 nodes 0 nps".to_owned()),
        interactive: stdin().is_terminal(),
    };
    let commands = std::env::args().skip(1).map(String::into_bytes).collect();
    run(stdin(), stdout(), hooks, commands);
}
