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
