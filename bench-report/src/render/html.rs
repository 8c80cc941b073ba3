//! The page: every table, sortable, and the plots, in one file that loads nothing.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

use super::Host;

const PAGE: &str = include_str!("page.html");

pub fn page(hosts: &[Host]) -> Result<String, String> {
    let mut environment = Environment::new();
    // A missing value is a mistake here, not an empty string there.
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let broken = |e: minijinja::Error| format!("page.html: {e:#}");
    environment.add_filter("code", code);
    environment.add_template("page.html", PAGE).map_err(broken)?;
    let hosts: Vec<_> = hosts
        .iter()
        .map(|host| {
            let plots: Vec<_> =
                host.plots.iter().map(|p| context! { group => &p.group, svg => &p.svg }).collect();
            context! { table => Value::from(Serde(&host.table)), plots }
        })
        .collect();
    environment
        .get_template("page.html")
        .and_then(|page| page.render(context! { hosts }))
        .map_err(broken)
}

/// Text in which what stands between backticks is code, as in the Markdown of the same reports.
fn code(text: &str) -> Value {
    let parts = text.split('`').enumerate().map(|(i, part)| {
        let part = escaped(part);
        if i % 2 == 1 { format!("<code>{part}</code>") } else { part }
    });
    Value::from_safe_string(parts.collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_code_and_nothing_else_becomes_markup() {
        assert_eq!(
            code("a `b<c>` & \"d\"").to_string(),
            "a <code>b&lt;c&gt;</code> &amp; &quot;d&quot;"
        );
        assert_eq!(code("`<script>").to_string(), "<code>&lt;script&gt;</code>");
    }
}
