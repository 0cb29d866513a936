//! The arithmetic of the network on whole rows, in the fastest form that the
//! processor offers.
//!
//! [`Backend::detect`] chooses once, when a network is loaded; the choice is a
//! value. Rows are multiples of 64 units. `scalar` defines the results, integers
//! only, and every backend gives exactly the same.
//!
//! The row updates are plain loops, compiled again with a wider instruction set
//! allowed; the output is written with intrinsics, because the compiler does not
//! find the multiply-add of pairs. The intrinsics take vectors made by checked
//! casts (`bytemuck`), so the only `unsafe` is the call into a function that
//! needs a feature.

#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Units whose products are added up in 32 bits before they go into 64: each is at
/// most 255 * 255 * 127, and 256 of them fit.
const UNITS_BEFORE_OVERFLOW: usize = 256;

/// Proof that this processor has the features of a backend; made by
/// [`Backend::detect`] and [`Backend::all`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detected(());

/// Which instructions the arithmetic uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Plain loops with what every processor of the target has.
    Scalar,
    /// 64-bit ARM with NEON.
    #[cfg(target_arch = "aarch64")]
    Neon(Detected),
    /// x86-64 with AVX2, BMI 1 and 2 and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(Detected),
    /// The same with AVX-512 F, BW and VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512(Detected),
}

/// Work of which every part that is inlined is compiled for a backend.
pub trait Task {
    /// What it finds.
    type Output;

    /// Does it; must be `#[inline(always)]`, so that it becomes a part of the
    /// function that has the features. `backend` is known there: calls of its
    /// methods are direct.
    fn run(self, backend: Backend) -> Self::Output;
}

/// A backend that is none of this processor's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no backend of this processor: it has {1}")]
pub struct BackendError(String, String);

impl std::str::FromStr for Backend {
    type Err = BackendError;

    fn from_str(text: &str) -> Result<Self, BackendError> {
        let all = Self::all();
        let found = all.iter().find(|backend| backend.name() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|backend| backend.name()).collect();
            BackendError(text.to_owned(), names.join(", "))
        })
    }
}

impl Backend {
    /// The fastest backend of this processor.
    pub fn detect() -> Self {
        Self::all().pop().unwrap_or(Self::Scalar)
    }

    /// All backends that this processor can run, slowest first.
    pub fn all() -> Vec<Self> {
        let mut backends = vec![Self::Scalar];
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            backends.push(Self::Neon(Detected(())));
        }
        #[cfg(target_arch = "x86_64")]
        {
            let common = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            if common {
                backends.push(Self::Avx2(Detected(())));
            }
            if common
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                backends.push(Self::Avx512(Detected(())));
            }
        }
        backends
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }

    /// Does a task with the instructions of this backend.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            // SAFETY: the value exists only where AVX2 and its company were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => unsafe { x86::run_avx2(task, proof) },
            // SAFETY: the value exists only where AVX-512 and its company were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof) => unsafe { x86::run_avx512(task, proof) },
            _ => task.run(self),
        }
    }

    /// `to = from + add - sub`.
    #[inline]
    pub fn add_sub(self, from: &[i16], add: &[i16], sub: &[i16], to: &mut [i16]) {
        match self {
            Self::Scalar => scalar::add_sub(from, add, sub, to),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => scalar::add_sub(from, add, sub, to),
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::add_sub_avx2(from, add, sub, to) },
            // SAFETY: the value exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::add_sub_avx512(from, add, sub, to) },
        }
    }

    /// `to = from + add - sub - sub2`.
    #[inline]
    pub fn add_sub_sub(self, from: &[i16], add: &[i16], sub: &[i16], sub2: &[i16], to: &mut [i16]) {
        match self {
            Self::Scalar => scalar::add_sub_sub(from, add, sub, sub2, to),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => scalar::add_sub_sub(from, add, sub, sub2, to),
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::add_sub_sub_avx2(from, add, sub, sub2, to) },
            // SAFETY: the value exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::add_sub_sub_avx512(from, add, sub, sub2, to) },
        }
    }

    /// `to += row`.
    #[inline]
    pub fn add(self, row: &[i16], to: &mut [i16]) {
        match self {
            Self::Scalar => scalar::add(row, to),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => scalar::add(row, to),
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::add_avx2(row, to) },
            // SAFETY: the value exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::add_avx512(row, to) },
        }
    }

    /// `to -= row`.
    #[inline]
    pub fn subtract(self, row: &[i16], to: &mut [i16]) {
        match self {
            Self::Scalar => scalar::subtract(row, to),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => scalar::subtract(row, to),
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::subtract_avx2(row, to) },
            // SAFETY: the value exists only where AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::subtract_avx512(row, to) },
        }
    }

    /// The sum of `clamp(x, 0, 255)^2 * w` over a row. Weights must lie within
    /// -127..=127, so that the product of unit and weight fits 16 bits.
    #[inline]
    pub fn output(self, hidden: &[i16], weights: &[i16]) -> i64 {
        match self {
            Self::Scalar => scalar::output(hidden, weights),
            // SAFETY: the value exists only where NEON was detected.
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => unsafe { neon::output(hidden, weights) },
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::output_avx2(hidden, weights) },
            // SAFETY: the value exists only where AVX-512 F, BW and VNNI were detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::output_avx512(hidden, weights) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(length: usize, range: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = Vec<i16>> {
        prop::collection::vec(range, length)
    }

    proptest! {
        #[test]
        fn all_backends_equal_the_scalar_one(
            (from, add, sub, sub2, weights) in (1usize..=8).prop_flat_map(|groups| {
                let length = 64 * groups;
                (
                    row(length, -20_000..=20_000),
                    row(length, -505..=505),
                    row(length, -505..=505),
                    row(length, -505..=505),
                    row(length, -127..=127),
                )
            })
        ) {
            let length = from.len();
            let mut expected = [vec![0; length], vec![0; length], from.clone(), from.clone()];
            Backend::Scalar.add_sub(&from, &add, &sub, &mut expected[0]);
            Backend::Scalar.add_sub_sub(&from, &add, &sub, &sub2, &mut expected[1]);
            Backend::Scalar.add(&add, &mut expected[2]);
            Backend::Scalar.subtract(&sub, &mut expected[3]);
            // Most units near the interesting range.
            let hidden: Vec<i16> = from.iter().map(|x| x % 400).collect();
            let sum = Backend::Scalar.output(&hidden, &weights);
            for backend in Backend::all() {
                let mut got = [vec![0; length], vec![0; length], from.clone(), from.clone()];
                backend.add_sub(&from, &add, &sub, &mut got[0]);
                backend.add_sub_sub(&from, &add, &sub, &sub2, &mut got[1]);
                backend.add(&add, &mut got[2]);
                backend.subtract(&sub, &mut got[3]);
                prop_assert_eq!(&got, &expected, "{:?}", backend);
                prop_assert_eq!(backend.output(&hidden, &weights), sum, "{:?}", backend);
            }
        }
    }

    #[test]
    fn backends_have_names() {
        for backend in Backend::all() {
            assert_eq!(backend.name().parse(), Ok(backend));
        }
        let fault = "sse9".parse::<Backend>().unwrap_err().to_string();
        let expected = "'sse9' is no backend of this processor: it has scalar";
        assert!(fault.starts_with(expected), "{fault}");
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let hidden = vec![i16::MAX; 2048];
        for weight in [-127, 127] {
            let weights = vec![weight; 2048];
            let expected = Backend::Scalar.output(&hidden, &weights);
            for backend in Backend::all() {
                assert_eq!(backend.output(&hidden, &weights), expected, "{backend:?}");
            }
        }
    }
}
