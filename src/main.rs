use chuhe::position::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let depth: u32 = a[1].parse().unwrap();
    let fen = a.get(3).map(|s| s.as_str()).unwrap_or(START_FEN);
    let mut p = Position::from_fen(fen).unwrap();
    let level = if a.get(2).map(|s| s == "base").unwrap_or(false) {
        Level::Baseline
    } else {
        Level::detect()
    };
    let t = std::time::Instant::now();
    let n = perft(&mut p, depth, level);
    let s = t.elapsed().as_secs_f64();
    println!("{n} {s:.3} {:.1} M/s {level:?}", n as f64 / s / 1e6);
}
