//! Each routine of the field, of scalars and of points, within what its contract allows: every form gives the
//! portable answer, and where big integers or the group law have a short way to it, they give it too.

use crate::input::{AS_IT_COMES, Input, edges, noise};
use crate::model::{Affine, Encodings, Point, Words, integer, l, p, words};
use crate::planted;
use crate::points::{affine, odd_encodings, torsion, with_torsion};
use num_bigint::BigUint;
use rind25519::internals::vendor::{adx, alt, avx2 as avx2_base, base};
use rind25519::internals::{HaveAvx2, HaveBmi2, avx2, door, half_size, portable};
use std::fmt::Debug;

/// `routine(inputs)` of alt, and of adx, which needs BMI2, where that is here.
macro_rules! both_forms {
    ($routine:ident($($input:expr),+)$(.$convert:ident)? == $want:expr) => {{
        let want = $want;
        let got = both_forms!(@ $($convert)?, alt::$routine($($input),+));
        same(concat!("alt::", stringify!($routine)), got, &want, ($($input,)+));
        if let Some(have) = HaveBmi2::get() {
            let got = both_forms!(@ $($convert)?, adx::$routine(have, $($input),+));
            same(concat!("adx::", stringify!($routine)), got, &want, ($($input,)+));
        }
    }};
    (@ , $call:expr) => { $call };
    (@ $convert:ident, $call:expr) => { $convert($call) };
}

fn same<T: PartialEq + Debug>(form: &str, got: T, want: &T, inputs: impl Debug) {
    assert!(got == *want, "{form}{inputs:x?}: {got:x?}, not {want:x?}");
}

fn decoded((status, point): (u64, Affine)) -> Option<Affine> {
    (status == 0).then_some(point)
}

/// The same of two, bit i of the status for point i.
fn decoded_pair((status, [c, e]): (u64, [Affine; 2])) -> [Option<Affine>; 2] {
    [decoded((status & 1, c)), decoded((status >> 1, e))]
}

/// Reads its inputs and compares.
type Check = fn(Input<'_>);

/// By the first byte of the input; after it, `e` is an integer with its tag, `t` a torsion.
const CHECKS: [(Check, &str); 12] = [
    (mul, "ee"),
    (sqr, "e"),
    (inv, "e"),
    (invsqrt, "e"),
    (madd, "eee"),
    (modulo, "eeee"), // the words behind the first are read as they come
    (decode, "e"),
    (encode, "te"),
    (scalarmulbase, "e"),
    (scalarmuldouble, "teee"),
    (scalarmultriple, "teteeee"),
    (half_size_and_coset, "etete"),
];

pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let (check, _) = CHECKS[usize::from(input.byte()) % CHECKS.len()];
    check(input);
}

fn mul(mut input: Input<'_>) {
    let (x, y) = (input.element(), input.element());
    let want = portable::bignum_mul_p25519(&x, &y);
    same("portable", integer(&want), &(integer(&x) * integer(&y) % p()), (x, y));
    both_forms!(bignum_mul_p25519(&x, &y) == want);
}

fn sqr(mut input: Input<'_>) {
    let x = input.element();
    let want = portable::bignum_sqr_p25519(&x);
    same("portable", integer(&want), &(integer(&x) * integer(&x) % p()), x);
    both_forms!(bignum_sqr_p25519(&x) == want);
    let negative = portable::bignum_neg_p25519(&x);
    let sum = (integer(&negative) + integer(&x)) % p();
    same("negative", (sum, integer(&negative) < p()), &(BigUint::ZERO, true), x);
}

fn inv(mut input: Input<'_>) {
    let x = input.element();
    let want = portable::bignum_inv_p25519(&x);
    let (n, z) = (integer(&x) % p(), integer(&want));
    let product = &n * &z % p();
    let unit = BigUint::from(u8::from(n != BigUint::ZERO));
    // 0 has no inverse that the product could check.
    same("portable", (product, z < p()), &(unit.clone(), true), x);
    assert!(unit != BigUint::ZERO || z == BigUint::ZERO, "1/0 is {want:x?}");
    same("base::bignum_inv_p25519", base::bignum_inv_p25519(&x), &want, x);
}

fn invsqrt(mut input: Input<'_>) {
    let x = input.element();
    let (symbol, z) = portable::bignum_invsqrt_p25519(&x);
    let n = integer(&x) % p();
    let xzz = &n * integer(&z) % p() * integer(&z) % p();
    let square = match symbol {
        1 => xzz == 1u8.into(),
        0 => n == BigUint::ZERO && z == [0; 4],
        // √−1 or its negative: z is 1/√x times a fourth root.
        -1 => &xzz * &xzz % p() == p() - 1u8,
        _ => false,
    };
    same("portable", (square, z[0] & 1, integer(&z) < p()), &(true, 0, true), (x, symbol, z));
    // Where there is no root, z has no meaning.
    let meaning = |(symbol, z): (i64, Words)| (symbol, (symbol != -1).then_some(z));
    both_forms!(bignum_invsqrt_p25519(&x).meaning == meaning((symbol, z)));
}

fn madd(mut input: Input<'_>) {
    let (x, y, c) = (input.element(), input.element(), input.element());
    let mut want = portable::bignum_madd_n25519(&x, &y, &c);
    // Where the planted oracle is wrong: two edges at once, and the seeds have one.
    if planted() && edges().contains(&x) && edges().contains(&c) {
        want[0] ^= 1;
    }
    let sum = (integer(&x) * integer(&y) + integer(&c)) % l();
    same("portable", integer(&want), &sum, (x, y, c));
    both_forms!(bignum_madd_n25519(&x, &y, &c) == want);
    same("door", door::bignum_madd_n25519(&x, &y, &c), &want, (x, y, c));
}

/// An integer of up to 20 words; the routine for four as well.
fn modulo(mut input: Input<'_>) {
    let four = input.element();
    let rest = input.rest(16 * 8);
    let eight = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    let mut x: Vec<u64> = rest.chunks_exact(8).map(eight).collect();
    let want = portable::bignum_mod_n25519(&four);
    same("base::bignum_mod_n25519_4", base::bignum_mod_n25519_4(&four), &want, four);
    for _ in 0..2 {
        let want = portable::bignum_mod_n25519(&x);
        same("portable", integer(&want), &(integer(&x) % l()), &x);
        same("base::bignum_mod_n25519", base::bignum_mod_n25519(&x), &want, &x);
        x.extend(four);
    }
}

fn decode(mut input: Input<'_>) {
    let choice = input.byte();
    let c = odd_encodings().get(usize::from(choice)).copied().unwrap_or(input.bytes());
    let strict = portable::edwards25519_decode(&c);
    let model = Point::decode(&c, Encodings::Canonical).map(|point| point.to_affine());
    same("portable", strict, &model, c);
    both_forms!(edwards25519_decode(&c).decoded == strict);

    let permissive = portable::edwards25519_decode_permissive(&c);
    let model = Point::decode(&c, Encodings::Any).map(|point| point.to_affine());
    same("portable", permissive, &model, c);
    both_forms!(edwards25519_decode_permissive(&c).decoded == permissive);
    same("door", door::edwards25519_decode_permissive(&c), &permissive, c);

    let e = input.bytes();
    let pair = [permissive, portable::edwards25519_decode_permissive(&e)];
    both_forms!(edwards25519_decode_permissive_pair(&c, &e).decoded_pair == pair);
    same("door", door::edwards25519_decode_permissive_pair(&c, &e), &pair, (c, e));
}

/// logarithm·B + torsion, both of the input.
fn point(input: &mut Input<'_>) -> (Words, u8, Affine) {
    let (n, logarithm) = (input.byte() % 8, input.element());
    (logarithm, n, with_torsion(&logarithm, n))
}

fn encode(mut input: Input<'_>) {
    let (.., point) = point(&mut input);
    let want = portable::edwards25519_encode(&point);
    same("base::edwards25519_encode", base::edwards25519_encode(&point), &want, point);
    same("decoded", portable::edwards25519_decode(&want), &Some(point), point);
}

fn scalarmulbase(mut input: Input<'_>) {
    let scalar = input.element();
    let want = portable::edwards25519_scalarmulbase(&scalar);
    both_forms!(edwards25519_scalarmulbase(&scalar) == want);
    same("door", door::edwards25519_scalarmulbase(&scalar), &want, scalar);
    if let Some(have) = HaveAvx2::get() {
        let got = avx2_base::edwards25519_scalarmulbase(have, &scalar);
        same("avx2::edwards25519_scalarmulbase", got, &want, scalar);
    }
    // By another way: the ladder of verification.
    let same_point = portable::edwards25519_scalarmuldouble_vartime(&[0; 4], torsion(1), &scalar);
    same("0·T + scalar·B", same_point, &want, scalar);
}

/// What a sum is by logarithm and torsion: a multiple of B, and one of the point of order 8.
fn by_logarithms(logarithm: &Words, n: u8) -> Affine {
    let of_base = portable::edwards25519_scalarmulbase(logarithm);
    Point::from_affine(&of_base).add(&Point::from_affine(torsion(n))).to_affine()
}

fn scalarmuldouble(mut input: Input<'_>) {
    let (a, n, point) = point(&mut input);
    let (k, s) = (input.element(), input.element());
    let want = portable::edwards25519_scalarmuldouble_vartime(&k, &point, &s);
    let sum = by_logarithms(&portable::bignum_madd_n25519(&k, &a, &s), times(&k, n));
    same("portable", want, &sum, (k, point, s));
    both_forms!(edwards25519_scalarmuldouble_vartime(&k, &point, &s) == want);
    same("door", door::edwards25519_scalarmuldouble_vartime(&k, &point, &s), &want, (k, point, s));
    if let Some(have) = HaveAvx2::get() {
        let got = avx2::edwards25519_scalarmuldouble_vartime(have, &k, &point, &s);
        same("avx2::edwards25519_scalarmuldouble_vartime", got, &want, (k, point, s));
    }
}

/// scalar·n mod 8.
fn times(scalar: &Words, n: u8) -> u8 {
    (scalar[0] as u8 & 7) * n % 8
}

fn scalarmultriple(mut input: Input<'_>) {
    let ((a, n, first), (b, m, second)) = (point(&mut input), point(&mut input));
    let scalars = [input.element(), input.element(), input.element()];
    let points = [first, second];
    let z_is_reduced = |projective: [Words; 3]| {
        let reduced = projective.iter().all(|c| integer(c) < p());
        (affine(&projective), reduced && projective[2] != [0; 4])
    };
    let portable = portable::edwards25519_scalarmultriple_vartime(&scalars, &points);
    let logarithm = portable::bignum_madd_n25519(
        &scalars[0],
        &a,
        &portable::bignum_madd_n25519(&scalars[1], &b, &scalars[2]),
    );
    let sum = by_logarithms(&logarithm, times(&scalars[0], n) + times(&scalars[1], m));
    same("portable", z_is_reduced(portable), &(sum, true), (scalars, points));
    both_forms!(
        edwards25519_scalarmultriple_vartime(&scalars, &points).z_is_reduced == (sum, true)
    );
    let got = door::edwards25519_scalarmultriple_vartime(&scalars, &points);
    same("door", z_is_reduced(got), &(sum, true), (scalars, points));
    if let Some(have) = HaveAvx2::get() {
        let got = avx2::edwards25519_scalarmultriple_vartime(have, &scalars, &points);
        same("avx2", z_is_reduced(got), &(sum, true), (scalars, points));
    }
}

/// c1·k ≡ c0 (mod 8·L) as verification needs it, for a k that need not be a hash; and whether two points
/// differ by torsion alone.
fn half_size_and_coset(mut input: Input<'_>) {
    let mut k = input.element();
    k[3] &= u64::MAX >> 1; // the contract: below 2^255
    if let Some(relation) = half_size::half_size_vartime(&k) {
        let (c0, c1, eight_l) = (integer(&relation.c0), integer(&relation.c1), l() << 3);
        let c0 = if relation.c0_is_negative { &eight_l - &c0 } else { c0 };
        assert_eq!(&c1 * integer(&k) % &eight_l, c0 % &eight_l, "{k:x?}: {relation:x?}");
        assert!(c1.bit(0) && c1.bits() <= 160, "{k:x?}: {relation:x?}");
        assert!(integer(&relation.c0).bits() <= 160, "{k:x?}: {relation:x?}");
    }

    let ((a, _, first), (b, m, second)) = (point(&mut input), point(&mut input));
    for (b, second) in [(b, second), (a, with_torsion(&a, m))] {
        let same_coset = (integer(&a) + (l() << 4) - integer(&b)) % l() == BigUint::ZERO;
        let got = door::edwards25519_same_coset_vartime(&first, &second);
        same("same coset", got, &same_coset, (first, second, b));
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (i, (_, layout)) in CHECKS.iter().enumerate() {
        for edge in (0..edges().len()).step_by(3) {
            let mut seed = vec![i as u8];
            // One edge, in each place in turn.
            let place = edge / 3 % layout.matches('e').count();
            let mut elements = 0;
            for field in layout.bytes() {
                if field == b't' {
                    seed.push((edge / 3) as u8);
                } else {
                    let is_edge = elements == place;
                    seed.push(if is_edge { (edge + i % 3) as u8 } else { AS_IT_COMES });
                    seed.extend(noise("field", 100 * edge + elements));
                    elements += 1;
                }
            }
            seeds.push(seed);
        }
    }
    for odd in 0..odd_encodings().len() as u8 {
        seeds.push(vec![6, odd]);
    }
    // A quotient of 128 bits, and what no odd c1 is short for.
    for k in [words::<4>(&(BigUint::from(1u8) << 127)), words(&(l() - 1u8)), words(&(l() >> 1))] {
        seeds.push([&[11, AS_IT_COMES][..], &crate::model::bytes(&k)].concat());
    }
    seeds
}
