//! The packed rounds against the divstep as the paper writes it. Whole inversions are tested with
//! the field.

use super::*;
use proptest::prelude::*;

/// N divsteps by the definition, on numbers that are wide enough, with the matrix beside them.
fn by_definition(n: u32, mut zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let (mut f, mut g) = (i128::from(f), i128::from(g));
    let mut m = Matrix { u: 1, v: 0, r: 0, s: 1 };
    for _ in 0..n {
        let (sign, swapped) = match (zeta < 0, g & 1 == 1) {
            (true, true) => (-1, true),
            (false, true) => (1, false),
            (_, false) => (0, false),
        };
        let next = (g + i128::from(sign) * f) / 2; // exact
        let (r, s) = (m.r + sign * m.u, m.s + sign * m.v);
        let (u, v) = if swapped { (m.r, m.s) } else { (m.u, m.v) };
        if swapped {
            f = g;
        }
        g = next;
        m = Matrix { u: 2 * u, v: 2 * v, r, s };
        // δ = −ζ − 1/2 becomes 1 − δ or 1 + δ.
        zeta = if swapped { -zeta - 2 } else { zeta - 1 };
    }
    (zeta, m)
}

#[track_caller]
fn check(zeta: i64, f: i64, g: i64) {
    assert_eq!(f & 1, 1);
    let entries = |(zeta, m): (i64, Matrix)| (zeta, [m.u, m.v, m.r, m.s]);
    let want = entries(by_definition(20, zeta, f, g));
    assert_eq!(entries(divsteps::<20>(zeta, f, g)), want, "20 steps: {zeta} {f:#x} {g:#x}");
    let want = entries(by_definition(19, zeta, f, g));
    assert_eq!(entries(divsteps::<19>(zeta, f, g)), want, "19 steps: {zeta} {f:#x} {g:#x}");
    let (zeta_end, m, f_low) = batch(zeta, f, g);
    let want = entries(by_definition(59, zeta, f, g));
    assert_eq!(entries((zeta_end, m)), want, "a batch: {zeta} {f:#x} {g:#x}");
    let exact = (wide(m.u, f) + wide(m.v, g)) >> 59;
    assert_eq!((exact as i64 ^ f_low) & 3, 0, "low bits of f: {zeta} {f:#x} {g:#x}");
}

#[test]
fn rounds_are_the_divsteps_of_the_paper_at_the_edges() {
    let edges =
        [0, 1, 2, 3, -1, -2, -3, -19, 1 << 19, 1 << 20, 1 << 40, 1 << 58, i64::MAX, i64::MIN];
    for zeta in [-30, -2, -1, 0, 1, 30] {
        for f in edges {
            for g in edges {
                check(zeta, f | 1, g);
            }
        }
    }
}

proptest! {
    #[test]
    fn rounds_are_the_divsteps_of_the_paper(zeta in -100..100i64, f: i64, g: i64, zeros in 0..64u32) {
        check(zeta, f | 1, g);
        check(zeta, f | 1, g << zeros);
    }
}
