//! The rendered part of BENCHMARKS.md.

use std::fmt::Write as _;

use super::Host;
use super::table::{Cell, HostTable, RowCells};

const BEGIN: &str = "<!-- begin: rendered by bench-report, do not edit -->";
const END: &str = "<!-- end: rendered by bench-report -->";

/// `page` with what stands between the two marks replaced.
pub fn splice(page: &str, rendered: &str) -> Result<String, String> {
    let find = |mark: &str| {
        let mut places = page.match_indices(mark).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(at), None) => Ok(at),
            _ => Err(format!("needs the line `{mark}` exactly once")),
        }
    };
    let (begin, end) = (find(BEGIN)? + BEGIN.len(), find(END)?);
    if begin > end {
        return Err("the marks of the rendered part are in the wrong order".into());
    }
    Ok(format!("{}\n\n{rendered}\n{}", &page[..begin], &page[end..]))
}

/// All hosts, one below the other.
pub fn page(hosts: &[Host], rendered: &str) -> String {
    let mut text = String::new();
    for host in hosts {
        one_host(&mut text, host, rendered);
    }
    text
}

// Writing to a string cannot fail; the results of `write!` are dropped.
fn one_host(text: &mut String, host: &Host, rendered: &str) {
    let table = &host.table;
    let _ = writeln!(text, "### {}\n", table.title);
    let _ = writeln!(
        text,
        "[`{0}.json`](bench-report/reports/{0}.json):\n\n{1}\n",
        host.stem,
        facts(table)
    );
    let _ = writeln!(
        text,
        "µs, medians; \"ratio\" is ours to the fastest peer, the median of the ratios within each round, with the \
         middle half of\nthem; bold where ours is slower.\n",
    );
    for group in &table.groups {
        let _ = writeln!(text, "#### {}\n\n{}\n", group.title, wrapped(&group.analysis));
        let _ =
            writeln!(text, "| operation | ratio | fastest peer | {} |", group.columns.join(" | "));
        let _ = writeln!(text, "|---|--:|---|{}", "--:|".repeat(group.columns.len()));
        for row in &group.rows {
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                row.title,
                ratio(row),
                row.fastest,
                cells.join(" | "),
            );
        }
        if !group.legend.is_empty() {
            let _ = writeln!(text, "\n{}.", wrapped(&group.legend));
        }
        let plot = host.plots.iter().find(|plot| plot.group == group.name);
        if let Some(plot) = plot {
            let _ = writeln!(text, "\n![{}]({rendered}/{})", plot.title, plot.file(&host.stem));
        }
        text.push('\n');
    }
    libraries(text, table);
    list(
        text,
        "Where we are behind",
        table.gaps.iter().map(|gap| format!("{}. {}", gap.what, gap.why)),
    );
    list(text, "No number", table.absences.iter().map(|(why, rows)| format!("{why} ({rows})")));
}

fn facts(table: &HostTable) -> String {
    let code = |name: &str| matches!(name, "command" | "flags");
    let facts = table.facts.iter().map(|(name, value)| match code(name) {
        true => format!("- {name}: `{value}`\n"),
        false => format!("- {name}: {value}\n"),
    });
    facts.collect::<String>().trim_end().to_owned()
}

fn cell(cell: &Cell) -> String {
    if cell.marks.is_empty() { cell.text.clone() } else { format!("{} {}", cell.text, cell.marks) }
}

fn ratio(row: &RowCells) -> String {
    match (row.spread.is_empty(), row.loss) {
        (true, _) => row.ratio.clone(),
        (false, true) => format!("**{}** ({})", row.ratio, row.spread),
        (false, false) => format!("{} ({})", row.ratio, row.spread),
    }
}

fn libraries(text: &mut String, table: &HostTable) {
    let _ = writeln!(text, "#### Libraries\n");
    let _ = writeln!(
        text,
        "| library | version | acceptance rule | a parsed key | size of its type | backend | notes |"
    );
    let _ = writeln!(text, "|---|---|---|---|--:|---|---|");
    for l in &table.libraries {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            l.name, l.version, l.rule, l.keys, l.size, l.backend, l.notes
        );
    }
    text.push('\n');
}

fn list(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.map(|item| format!("- {item}\n")).collect();
    if !items.is_empty() {
        let _ = writeln!(text, "#### {title}\n\n{}", items.concat());
    }
}

/// Lines of at most 118 characters.
fn wrapped(paragraph: &str) -> String {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 118 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.into());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splice_replaces_what_is_between_the_marks() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let once = splice(&page, "new\n").unwrap();
        assert_eq!(once, format!("before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(splice(&once, "new\n").unwrap(), once);
        for wrong in ["", BEGIN, &format!("{END}\n{BEGIN}"), &page.repeat(2)] {
            splice(wrong, "new").unwrap_err();
        }
    }

    #[test]
    fn wrapping_keeps_every_word() {
        let text = "word ".repeat(100);
        let lines = wrapped(&text);
        assert!(lines.lines().all(|line| line.len() <= 118));
        assert_eq!(lines.split_whitespace().count(), 100);
    }
}
