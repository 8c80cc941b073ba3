//! The plots, one SVG a group: bars of each engine to the fastest peer, or, where the rows differ in the
//! size of a batch, the cost of an item against that size.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::analysis::fastest_peer;
use super::table::{heading, microseconds};
use crate::report::{Group, Report, Row, tier};
use crate::statistics::{Spread, paired, time};

pub struct Plot {
    pub group: String,
    pub title: String,
    pub svg: String,
}

impl Plot {
    pub fn file(&self, stem: &str) -> String {
        format!("{stem}-{}.svg", self.group)
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const WIDTH: u32 = 860;
const OURS: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
const TIER: RGBColor = RGBColor(0x9c, 0xc4, 0xe4);
const PEER: RGBColor = RGBColor(0xb8, 0xb8, 0xb8);
const LINE: RGBColor = RGBColor(0xc0, 0x39, 0x2b);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// Every group of a report.
pub fn all(report: &Report) -> Result<Vec<Plot>, String> {
    let mut plots = Vec::new();
    for group in &report.groups {
        let by_batch = group.rows.iter().any(|row| row.batch != group.rows[0].batch);
        let svg = if by_batch { batch_curves(group) } else { ratio_bars(report, group) };
        let svg = svg.map_err(|e| format!("cannot draw {}: {e}", group.name))?;
        plots.push(Plot { group: group.name.clone(), title: group.title.clone(), svg });
    }
    Ok(plots)
}

/// One bar: an engine's time to the fastest peer's.
struct Bar {
    label: String,
    colour: RGBColor,
    ratio: Spread,
    time: f64,
}

fn bars(report: &Report, row: &Row) -> Vec<Bar> {
    let reference =
        fastest_peer(report, row).or(row.results.iter().find(|o| !o.samples.ns.is_empty()));
    let Some(reference) = reference else { return Vec::new() };
    let bar = |outcome: &crate::report::Outcome| {
        Some(Bar {
            label: heading(&outcome.engine),
            colour: match tier(&outcome.engine) {
                Some("auto") => OURS,
                Some(_) => TIER,
                None => PEER,
            },
            ratio: paired(&outcome.samples, &reference.samples)?,
            time: time(row, outcome)?.median * 1e-3,
        })
    };
    row.results.iter().filter_map(bar).collect()
}

const BAR: i32 = 17;
const PANEL_TOP: i32 = 30;
const PANEL_BOTTOM: i32 = 14;
const LEFT: i32 = 130;
const RIGHT: i32 = WIDTH as i32 - 150;
/// Bars end here, whatever their ratio; the number beside them tells it.
const LONGEST: f64 = 3.0;

/// The line of explanation under the panels.
const LEGEND: i32 = 26;

fn ratio_bars(report: &Report, group: &Group) -> Result<String, Box<dyn std::error::Error>> {
    let panels: Vec<(&Row, Vec<Bar>)> =
        group.rows.iter().map(|row| (row, bars(report, row))).collect();
    let height_of = |bars: &[Bar]| PANEL_TOP + BAR * bars.len() as i32 + PANEL_BOTTOM;
    let height = panels.iter().map(|(_, bars)| height_of(bars)).sum::<i32>() + LEGEND;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut top = 0;
        for (row, bars) in &panels {
            panel(&area, top, row, bars)?;
            top += height_of(bars);
        }
        let legend = format!(
            "bars: time to that of the fastest peer, which is 1 (red line), cut at {LONGEST}, with the middle half \
             of the ratios; beside them ratio and time"
        );
        write(&area, &legend, (8, top + 4), 11, HPos::Left)?;
        area.present()?;
    }
    Ok(svg)
}

fn panel(area: &Area<'_>, top: i32, row: &Row, bars: &[Bar]) -> Drawn {
    let width = f64::from(RIGHT - LEFT);
    let x = |ratio: f64| LEFT + (width * ratio.min(LONGEST) / LONGEST).round() as i32;
    write(area, &row.title, (8, top + 8), 15, HPos::Left)?;
    let bottom = top + PANEL_TOP + BAR * bars.len() as i32;
    let line = vec![(x(1.0), top + PANEL_TOP - 4), (x(1.0), bottom + 2)];
    area.draw(&PathElement::new(line, LINE))?;
    for (i, bar) in bars.iter().enumerate() {
        let y = top + PANEL_TOP + BAR * i as i32;
        let corners = [(LEFT, y + 1), (x(bar.ratio.median), y + BAR - 2)];
        area.draw(&Rectangle::new(corners, bar.colour.filled()))?;
        // The middle half of the ratios.
        let half = vec![(x(bar.ratio.lower), y + BAR / 2), (x(bar.ratio.upper), y + BAR / 2)];
        area.draw(&PathElement::new(half, INK))?;
        write(area, &bar.label, (LEFT - 6, y + 2), 12, HPos::Right)?;
        let value = format!("{:.2} · {} µs", bar.ratio.median, microseconds(bar.time));
        let left = x(bar.ratio.median.max(bar.ratio.upper)) + 6;
        // The line must not run through the figures: 7 is wider than a digit of this size.
        let behind = [(left - 2, y), (left + 7 * value.chars().count() as i32, y + BAR - 1)];
        area.draw(&Rectangle::new(behind, WHITE.filled()))?;
        write(area, &value, (left, y + 2), 12, HPos::Left)?;
    }
    Ok(())
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, h: HPos) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&INK).pos(Pos::new(h, VPos::Top));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

/// Cost of an item against the size of a batch, both on logarithmic scales, a line an engine.
fn batch_curves(group: &Group) -> Result<String, Box<dyn std::error::Error>> {
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for row in &group.rows {
        for outcome in &row.results {
            let Some(time) = time(row, outcome) else { continue };
            let point = (f64::from(row.batch), time.median * 1e-3);
            match lines.iter_mut().find(|(name, _)| *name == outcome.engine) {
                Some((_, points)) => points.push(point),
                None => lines.push((outcome.engine.clone(), vec![point])),
            }
        }
    }
    let all = || lines.iter().flat_map(|(_, points)| points);
    let least = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(f64::MAX, f64::min);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(0.0, f64::max);
    let (left, right) = (least(|p| p.0), most(|p| p.0));
    let (low, high) = (least(|p| p.1) / 1.3, most(|p| p.1) * 1.3);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .margin_right(120)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d((left..right).log_scale(), (low..high).log_scale())?;
        chart.configure_mesh().x_desc("signatures in a batch").y_desc("µs a signature").draw()?;
        for (i, (name, points)) in lines.iter().enumerate() {
            let colour = if tier(name).is_some() { OURS } else { PEER };
            for pair in points.windows(2) {
                chart.draw_series([PathElement::new(pair.to_vec(), colour.stroke_width(2))])?;
            }
            chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, colour.filled())))?;
            write(&area, &heading(name), (WIDTH as i32 - 112, 20 + 18 * i as i32), 12, HPos::Left)?;
        }
        area.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Outcome, Samples};

    #[test]
    fn rows_of_several_batch_sizes_make_curves() {
        let samples = |ns| Samples { ns: vec![ns; 3], tsc: Vec::new() };
        let outcome = |engine: &str, ns| Outcome {
            engine: engine.into(),
            rule: None,
            ran: Vec::new(),
            absent: None,
            samples: samples(ns),
        };
        let row = |batch: u32| Row {
            name: format!("verify-many-{batch}"),
            title: format!("verify, {batch} at once"),
            model: crate::definitions::Model::VerifyBytes,
            message: 200,
            batch,
            distinct: 64,
            iterations: 1,
            control: samples(1000),
            results: vec![
                outcome("rind25519/auto", 20_000 + 4_000 * u64::from(batch)),
                outcome("ring", 50_000),
            ],
        };
        let group = Group {
            name: "many".into(),
            title: "Many".into(),
            analysis: String::new(),
            rows: [1, 4, 8, 64].map(row).to_vec(),
        };
        let svg = batch_curves(&group).unwrap();
        assert_eq!(svg, batch_curves(&group).unwrap());
        assert!(
            svg.contains("signatures in a batch") && svg.matches("<circle").count() == 8,
            "{svg}"
        );
    }
}
