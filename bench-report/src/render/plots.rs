//! The plots, one SVG a group: bars of each engine to the fastest peer, or, where the rows differ in the
//! size of a batch, the cost of an item against that size ([`curves`](super::curves)).

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::analysis::fastest_peer;
use super::curves::batch_curves;
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

pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

pub const WIDTH: u32 = 860;
pub const OURS: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
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
const RIGHT: i32 = WIDTH as i32 - 130;
/// Bars end here, whatever their ratio; the number at the end of the line tells it.
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
             of the ratios; at the right ratio and time"
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
    for (i, bar) in bars.iter().enumerate() {
        let y = top + PANEL_TOP + BAR * i as i32;
        let corners = [(LEFT, y + 1), (x(bar.ratio.median), y + BAR - 2)];
        area.draw(&Rectangle::new(corners, bar.colour.filled()))?;
        // The middle half of the ratios.
        let half = vec![(x(bar.ratio.lower), y + BAR / 2), (x(bar.ratio.upper), y + BAR / 2)];
        area.draw(&PathElement::new(half, INK))?;
        write(area, &bar.label, (LEFT - 6, y + 2), 12, HPos::Right)?;
        let value = format!("{:.2} · {} µs", bar.ratio.median, microseconds(bar.time));
        write(area, &value, (WIDTH as i32 - 8, y + 2), 12, HPos::Right)?;
    }
    let line = vec![(x(1.0), top + PANEL_TOP - 4), (x(1.0), bottom + 2)];
    area.draw(&PathElement::new(line, LINE))?;
    Ok(())
}

pub fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, h: HPos) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&INK).pos(Pos::new(h, VPos::Top));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}
