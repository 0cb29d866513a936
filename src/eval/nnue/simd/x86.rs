//! x86-64 with AVX2 and with AVX-512.

use super::{Backend, Detected, Task, UNITS_BEFORE_OVERFLOW, scalar};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm512_dpwssd_epi32,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_setzero_si512,
};

/// Units of 256 and of 512 bits.
const UNITS_256: usize = 16;
const UNITS_512: usize = 32;

/// Compiles a task with AVX2 and its company.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn run_avx2<T: Task>(task: T, proof: Detected) -> T::Output {
    task.run(Backend::Avx2(proof))
}

/// Compiles a task with AVX-512 and its company.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vnni")]
pub(super) fn run_avx512<T: Task>(task: T, proof: Detected) -> T::Output {
    task.run(Backend::Avx512(proof))
}

/// The plain loop with AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_sub_avx2(from: &[i16], add: &[i16], sub: &[i16], to: &mut [i16]) {
    add_sub_loop(from, add, sub, to);
}

/// The plain loop with AVX-512.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn add_sub_avx512(from: &[i16], add: &[i16], sub: &[i16], to: &mut [i16]) {
    add_sub_loop(from, add, sub, to);
}

/// The plain loop with AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_sub_sub_avx2(
    from: &[i16],
    add: &[i16],
    sub: &[i16],
    sub2: &[i16],
    to: &mut [i16],
) {
    add_sub_sub_loop(from, add, sub, sub2, to);
}

/// The plain loop with AVX-512.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn add_sub_sub_avx512(
    from: &[i16],
    add: &[i16],
    sub: &[i16],
    sub2: &[i16],
    to: &mut [i16],
) {
    add_sub_sub_loop(from, add, sub, sub2, to);
}

/// The plain loop with AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_avx2(row: &[i16], to: &mut [i16]) {
    scalar::add(row, to);
}

/// The plain loop with AVX-512.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn add_avx512(row: &[i16], to: &mut [i16]) {
    scalar::add(row, to);
}

/// The plain loop with AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn subtract_avx2(row: &[i16], to: &mut [i16]) {
    scalar::subtract(row, to);
}

/// The plain loop with AVX-512.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn subtract_avx512(row: &[i16], to: &mut [i16]) {
    scalar::subtract(row, to);
}

/// Groups of 64 units: the compiler sees whole vectors and no remainder.
type Group = [i16; super::super::format::GROUP];

fn groups(row: &[i16]) -> &[Group] {
    row.as_chunks().0
}

#[inline(always)]
fn add_sub_loop(from: &[i16], add: &[i16], sub: &[i16], to: &mut [i16]) {
    let (to, _) = to.as_chunks_mut::<{ super::super::format::GROUP }>();
    let rows = groups(from).iter().zip(groups(add)).zip(groups(sub));
    for (to, ((from, add), sub)) in to.iter_mut().zip(rows) {
        for i in 0..to.len() {
            to[i] = from[i].wrapping_add(add[i]).wrapping_sub(sub[i]);
        }
    }
}

#[inline(always)]
fn add_sub_sub_loop(from: &[i16], add: &[i16], sub: &[i16], sub2: &[i16], to: &mut [i16]) {
    let (to, _) = to.as_chunks_mut::<{ super::super::format::GROUP }>();
    let rows = groups(from)
        .iter()
        .zip(groups(add))
        .zip(groups(sub))
        .zip(groups(sub2));
    for (to, (((from, add), sub), sub2)) in to.iter_mut().zip(rows) {
        for i in 0..to.len() {
            to[i] = from[i]
                .wrapping_add(add[i])
                .wrapping_sub(sub[i])
                .wrapping_sub(sub2[i]);
        }
    }
}

/// `clamp(x)^2 * w`: the product with the weight fits 16 bits, the rest is a
/// multiply-add of pairs.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn output_avx2(hidden: &[i16], weights: &[i16]) -> i64 {
    let (zero, top) = (_mm256_setzero_si256(), _mm256_set1_epi16(255));
    let hidden = hidden
        .as_chunks::<UNITS_256>()
        .0
        .chunks(UNITS_BEFORE_OVERFLOW / UNITS_256);
    let weights = weights
        .as_chunks::<UNITS_256>()
        .0
        .chunks(UNITS_BEFORE_OVERFLOW / UNITS_256);
    let mut total = 0;
    for (hidden, weights) in hidden.zip(weights) {
        let mut sum = zero;
        for (x, w) in hidden.iter().zip(weights) {
            let x: __m256i = bytemuck::cast(*x);
            let w: __m256i = bytemuck::cast(*w);
            let x = _mm256_min_epi16(_mm256_max_epi16(x, zero), top);
            let product = _mm256_mullo_epi16(x, w);
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, x));
        }
        let lanes: [i32; 8] = bytemuck::cast(sum);
        total += i64::from(lanes.iter().sum::<i32>());
    }
    total
}

/// As [`output_avx2`], with multiply-add and sum in one instruction.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
pub(super) fn output_avx512(hidden: &[i16], weights: &[i16]) -> i64 {
    let (zero, top) = (_mm512_setzero_si512(), _mm512_set1_epi16(255));
    let hidden = hidden
        .as_chunks::<UNITS_512>()
        .0
        .chunks(UNITS_BEFORE_OVERFLOW / UNITS_512);
    let weights = weights
        .as_chunks::<UNITS_512>()
        .0
        .chunks(UNITS_BEFORE_OVERFLOW / UNITS_512);
    let mut total = 0;
    for (hidden, weights) in hidden.zip(weights) {
        let mut sum = zero;
        for (x, w) in hidden.iter().zip(weights) {
            let x: __m512i = bytemuck::cast(*x);
            let w: __m512i = bytemuck::cast(*w);
            let x = _mm512_min_epi16(_mm512_max_epi16(x, zero), top);
            sum = _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(x, w), x);
        }
        total += i64::from(_mm512_reduce_add_epi32(sum));
    }
    total
}
