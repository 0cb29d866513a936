//! Words for people who type: who we are and what can be said.

use super::{Dialect, Reply};

/// The name that clients show.
pub(super) const NAME: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The line that greets a person at a terminal.
pub(super) const BANNER: &str = concat!(
    "Chuhe (楚河) ",
    env!("CARGO_PKG_VERSION"),
    ", a xiangqi engine. Type help. 输入 help 查看命令。"
);

/// The `id` lines of a dialect.
pub(super) fn identity(dialect: Dialect) -> Vec<Reply> {
    let fields: &[(&str, &str)] = match dialect {
        Dialect::Ucci => &[
            ("name", NAME),
            ("version", env!("CARGO_PKG_VERSION")),
            ("copyright", "2026 the Chuhe authors"),
            ("author", "the Chuhe authors"),
            ("user", "everybody"),
        ],
        Dialect::Uci => &[("name", NAME), ("author", "the Chuhe authors")],
    };
    let reply = |&(field, text): &(&str, &str)| Reply::Id {
        field: field.to_owned(),
        text: text.to_owned(),
    };
    fields.iter().map(reply).collect()
}

/// What can be typed.
pub(super) const HELP: &[&str] = &[
    "position startpos [moves h2e2 ...]   set the position        设置局面",
    "position fen FEN [moves ...]         from a FEN              由 FEN 设置局面",
    "go depth 10 | movetime 3000 | nodes 100000 | infinite        思考",
    "stop                                 answer now              立即出着",
    "d                                    show the board          显示棋盘",
    "eval                                 static evaluation       静态评估",
    "go perft 4                           count move sequences    着法树计数",
    "bench                                run the benchmark       基准测试",
    "setoption name Threads value 2       set an option           设置选项",
    "ucci, uci                            identity and options    引擎信息和选项",
    "quit                                 leave                   退出",
];
