//! The HTML page in a real browser that reaches no network: it sorts, and it shows every plot.

mod common;

use std::path::Path;
use std::process::Command;

use common::skip;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rendered/index.html");
    std::fs::read_to_string(path).expect("the rendered page")
}

/// The document as Chromium has it after its scripts have run.
fn in_chromium(html: &str) -> Option<String> {
    if !skip::program("chromium") {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, html).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Where the probes write what they found.
fn title(dom: &str) -> Option<&str> {
    dom.split("<title>").nth(1)?.split("</title>").next()
}

#[test]
fn page_loads_nothing() {
    let page = page();
    for word in ["src=", "href=", "@import", "url(", "fetch(", "<link", "<iframe"] {
        assert!(!page.contains(word), "{word} in the page");
    }
}

#[test]
fn page_sorts_and_shows_its_plots() {
    // Clicks the second heading of the first table twice, and writes down what came of it.
    const PROBE: &str = r#"<script>
        const table = document.querySelector("table.sortable"), heading = table.tHead.rows[0].cells[1];
        const values = () => [...table.tBodies[0].rows].map(row => Number(row.cells[1].dataset.value));
        heading.click(); const up = values();
        heading.click(); const down = values();
        const sorted = [...up].sort((a, b) => a - b);
        const plots = [...document.querySelectorAll("figure svg")].map(svg => svg.getBoundingClientRect());
        document.title = [
            up.length > 1 && up.every((x, i) => x === sorted[i]),
            down.every((x, i) => x === sorted[sorted.length - 1 - i]),
            heading.getAttribute("aria-sort"),
            plots.length === document.querySelectorAll("h3 ~ figure").length && plots.length > 3,
            plots.every(box => box.width > 300 && box.height > 50),
        ].join(" ");
    </script></body>"#;
    let page = page();
    assert_eq!(page.matches("</body>").count(), 1);
    let Some(dom) = in_chromium(&page.replace("</body>", PROBE)) else { return };
    assert_eq!(title(&dom), Some("true true descending true true"));
    // The same probe finds a page whose script is gone.
    let broken = page.replace("addEventListener(\"click\"", "addEventListener(\"never\"");
    let dom = in_chromium(&broken.replace("</body>", PROBE)).unwrap();
    assert_ne!(title(&dom), Some("true true descending true true"));
}

/// Tables and plots scroll by themselves; the page does not, on a telephone either. Chromium makes no window as
/// narrow as that, so the document is.
#[test]
fn page_is_not_wider_than_its_window() {
    const PROBE: &str = r#"<script>
        document.title = [390, 1280].map(width => {
            document.documentElement.style.width = width + "px";
            return document.body.scrollWidth <= width;
        }).join(" ");
    </script></body>"#;
    let page = page();
    let Some(dom) = in_chromium(&page.replace("</body>", PROBE)) else { return };
    assert_eq!(title(&dom), Some("true true"));
    let wide = format!("<p style=\"width: 1000px\">wide</p>{PROBE}");
    let dom = in_chromium(&page.replace("</body>", &wide)).unwrap();
    assert_eq!(title(&dom), Some("false true"));
}
