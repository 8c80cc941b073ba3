//! Cost of an item against the size of a batch, a line an engine, both scales logarithmic.

use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::plots::{OURS, WIDTH, write};
use super::table::heading;
use crate::report::{Group, tier};
use crate::statistics::time;

const HEIGHT: u32 = 460;
/// For the names at the ends of the lines.
const MARGIN: i32 = 150;
/// From one name to the next, at least.
const APART: i32 = 15;

/// Told apart by people who see few colours, too (Okabe and Ito); ours has blue for itself.
const COLOURS: [RGBColor; 5] = [
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xb8, 0x86, 0x0b),
    RGBColor(0x55, 0x55, 0x55),
];
/// Length of a dash and of the space after it, in pixels: with five colours, twenty lines that differ.
const DASHES: [(i32, i32); 4] = [(1, 0), (8, 4), (3, 3), (14, 3)];

struct Curve {
    engine: String,
    /// Binary logarithm of the batch's size, upwards, and microseconds an item.
    points: Vec<(f64, f64)>,
    colour: RGBColor,
    dash: (i32, i32),
    width: u32,
}

fn curves(group: &Group) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in &group.rows {
        for outcome in &row.results {
            let Some(time) = time(row, outcome) else { continue };
            let point = (f64::from(row.batch).log2(), time.median * 1e-3);
            match curves.iter_mut().find(|curve| curve.engine == outcome.engine) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve {
                    engine: outcome.engine.clone(),
                    points: vec![point],
                    colour: OURS,
                    dash: DASHES[0],
                    width: 2,
                }),
            }
        }
    }
    let (mut tiers, mut peers) = (1, 0);
    for curve in &mut curves {
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        match tier(&curve.engine) {
            Some("auto") => curve.width = 3,
            Some(_) => {
                curve.dash = DASHES[tiers % DASHES.len()];
                tiers += 1;
            }
            None => {
                curve.colour = COLOURS[peers % COLOURS.len()];
                curve.dash = DASHES[peers % DASHES.len()];
                peers += 1;
            }
        }
    }
    curves
}

pub fn batch_curves(group: &Group) -> Result<String, Box<dyn std::error::Error>> {
    let curves = curves(group);
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let least = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(f64::MAX, f64::min);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(0.0, f64::max);
    let (left, right) = (least(|p| p.0), most(|p| p.0));
    let (low, high) = (least(|p| p.1) / 1.3, most(|p| p.1) * 1.3);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .margin_right(MARGIN)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(left..right, (low..high).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("signatures in a batch")
            .y_desc("µs a signature")
            .x_labels((right - left) as usize + 1)
            .x_label_formatter(&|log| format!("{}", log.exp2().round()))
            .y_label_formatter(&|us| format!("{us}"))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let mut ends = Vec::new();
        for curve in &curves {
            let stroke = curve.colour.stroke_width(curve.width);
            let line = curve.points.clone();
            match curve.dash {
                (_, 0) => {
                    chart.draw_series([PathElement::new(line, stroke)])?;
                }
                (dash, space) => {
                    chart.draw_series([DashedPathElement::new(line, dash, space, stroke)])?;
                }
            }
            let dots = curve.points.iter().map(|&p| Circle::new(p, 3, curve.colour.filled()));
            chart.draw_series(dots)?;
            ends.extend(curve.points.last().map(|point| chart.backend_coord(point)));
        }
        for (curve, (end, y)) in curves.iter().zip(ends.iter().zip(spread(&ends))) {
            // From the line's end to its name, which may stand beside it.
            let hook = vec![(end.0 + 4, end.1), (WIDTH as i32 - MARGIN + 12, y)];
            area.draw(&PathElement::new(hook, curve.colour.stroke_width(1)))?;
            let name = (WIDTH as i32 - MARGIN + 16, y - 6);
            write(&area, &heading(&curve.engine), name, 12, HPos::Left)?;
        }
        area.present()?;
    }
    Ok(svg)
}

/// A height for each name, near the end of its line and [`APART`] from the others.
fn spread(ends: &[(i32, i32)]) -> Vec<i32> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by_key(|&i| ends[i].1);
    let mut heights = vec![0; ends.len()];
    let mut next = i32::MIN;
    for i in order.iter().copied() {
        heights[i] = ends[i].1.max(next);
        next = heights[i] + APART;
    }
    // Pushed below the plot: from there up again.
    let mut most = HEIGHT as i32 - APART;
    for i in order.into_iter().rev() {
        heights[i] = heights[i].min(most);
        most = heights[i] - APART;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Outcome, Row, Samples};

    fn group(engines: &[(&str, u64)]) -> Group {
        let samples = |ns| Samples { ns: vec![ns; 3], tsc: Vec::new() };
        let row = |batch: u32| Row {
            name: format!("verify-many-{batch}"),
            title: format!("verify, {batch} at once"),
            model: crate::definitions::Model::VerifyBytes,
            message: 200,
            batch,
            distinct: 64,
            iterations: 1,
            control: samples(1000),
            results: engines
                .iter()
                .map(|&(engine, each)| Outcome {
                    engine: engine.into(),
                    rule: None,
                    ran: Vec::new(),
                    absent: None,
                    samples: samples(20_000 + each * u64::from(batch)),
                })
                .collect(),
        };
        Group {
            name: "many".into(),
            title: "Many".into(),
            analysis: String::new(),
            rows: [64, 1, 4, 8].map(row).to_vec(),
        }
    }

    const ENGINES: [(&str, u64); 8] = [
        ("rind25519/auto", 4_000),
        ("rind25519/avx2", 4_100),
        ("rind25519/alt", 4_200),
        ("ring", 50_000),
        ("dalek", 20_000),
        ("zebra", 20_100),
        ("crrl", 20_200),
        ("aws-lc-rs", 51_000),
    ];

    #[test]
    fn lines_differ_and_each_has_its_name() {
        let svg = batch_curves(&group(&ENGINES)).unwrap();
        assert_eq!(svg, batch_curves(&group(&ENGINES)).unwrap());
        assert!(svg.contains("signatures in a batch"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 4 * ENGINES.len());
        for (engine, _) in ENGINES {
            assert_eq!(
                svg.matches(&format!("\n{}\n", heading(engine))).count(),
                1,
                "{engine}: {svg}"
            );
        }
        let curves = curves(&group(&ENGINES));
        for (i, one) in curves.iter().enumerate() {
            assert!(one.points.is_sorted_by(|a, b| a.0 < b.0), "{}", one.engine);
            for other in &curves[..i] {
                assert_ne!(
                    (one.colour, one.dash, one.width),
                    (other.colour, other.dash, other.width),
                    "{}, {}",
                    one.engine,
                    other.engine
                );
            }
        }
    }

    #[test]
    fn names_stand_apart_and_within_the_plot() {
        let at = |heights: &[i32]| heights.iter().map(|&y| (700, y)).collect::<Vec<_>>();
        let cases = [&[100, 300][..], &[100, 101, 102, 100], &[450, 440, 455, 10], &[]];
        for case in cases {
            let heights = spread(&at(case));
            let mut sorted = heights.clone();
            sorted.sort();
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= APART), "{heights:?}");
            assert!(
                heights.iter().all(|&y| (0..=HEIGHT as i32 - APART).contains(&y)),
                "{heights:?}"
            );
        }
        assert_eq!(spread(&at(&[300, 100])), [300, 100]);
    }
}
