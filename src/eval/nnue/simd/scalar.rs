//! The definition of the arithmetic; every other backend must equal it.

use super::UNITS_BEFORE_OVERFLOW;

/// `to = from + add - sub`, unit by unit.
pub(super) fn add_sub(from: &[i16], add: &[i16], sub: &[i16], to: &mut [i16]) {
    for (((to, from), add), sub) in to.iter_mut().zip(from).zip(add).zip(sub) {
        *to = from.wrapping_add(*add).wrapping_sub(*sub);
    }
}

/// `to = from + add - sub - sub2`, unit by unit.
pub(super) fn add_sub_sub(from: &[i16], add: &[i16], sub: &[i16], sub2: &[i16], to: &mut [i16]) {
    for ((((to, from), add), sub), sub2) in to.iter_mut().zip(from).zip(add).zip(sub).zip(sub2) {
        *to = from
            .wrapping_add(*add)
            .wrapping_sub(*sub)
            .wrapping_sub(*sub2);
    }
}

/// `to += row`, unit by unit.
pub(super) fn add(row: &[i16], to: &mut [i16]) {
    for (to, row) in to.iter_mut().zip(row) {
        *to = to.wrapping_add(*row);
    }
}

/// `to -= row`, unit by unit.
pub(super) fn subtract(row: &[i16], to: &mut [i16]) {
    for (to, row) in to.iter_mut().zip(row) {
        *to = to.wrapping_sub(*row);
    }
}

/// The sum of `clamp(x, 0, 255)^2 * w`: the product with the weight fits 16 bits,
/// and the compiler makes a multiply-add of pairs of the rest.
pub(super) fn output(hidden: &[i16], weights: &[i16]) -> i64 {
    let parts = hidden
        .chunks(UNITS_BEFORE_OVERFLOW)
        .zip(weights.chunks(UNITS_BEFORE_OVERFLOW));
    parts.map(|(x, w)| i64::from(output_part(x, w))).sum()
}

fn output_part(hidden: &[i16], weights: &[i16]) -> i32 {
    let products = hidden.iter().zip(weights).map(|(x, w)| {
        let x = x.clamp(&0, &255);
        i32::from(*x) * i32::from(x * w)
    });
    products.sum()
}
