//! 64-bit ARM, where every processor has NEON. The row updates stay plain loops:
//! the compiler uses NEON in them unasked.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16,
};

/// Units of 128 bits.
const UNITS: usize = 8;
/// Vectors before the 32-bit sums are added up in 64 bits: each adds at most
/// 2 * 255 * 32,385 to a lane.
const VECTORS_BEFORE_OVERFLOW: usize = 64;

/// `clamp(x)^2 * w`: the product with the weight fits 16 bits, the rest is a
/// widening multiply-add.
#[target_feature(enable = "neon")]
pub(super) fn output(hidden: &[i16], weights: &[i16]) -> i64 {
    let (zero, top) = (vdupq_n_s16(0), vdupq_n_s16(255));
    let hidden = hidden
        .as_chunks::<UNITS>()
        .0
        .chunks(VECTORS_BEFORE_OVERFLOW);
    let weights = weights
        .as_chunks::<UNITS>()
        .0
        .chunks(VECTORS_BEFORE_OVERFLOW);
    let mut total = 0;
    for (hidden, weights) in hidden.zip(weights) {
        let mut sum: int32x4_t = vdupq_n_s32(0);
        for (x, w) in hidden.iter().zip(weights) {
            let x: int16x8_t = bytemuck::cast(*x);
            let w: int16x8_t = bytemuck::cast(*w);
            let x = vminq_s16(vmaxq_s16(x, zero), top);
            let product = vmulq_s16(x, w);
            sum = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(x));
            sum = vmlal_high_s16(sum, product, x);
        }
        total += vaddlvq_s32(sum);
    }
    total
}
