//! Promise: the README's rustls snippet compiles and runs. It is this crate's first doc test, word
//! for word; in the README itself it is marked `ignore`, for there the root crate's tests run it.

/// The first fenced block after `start`, its lines with `prefix` taken off.
fn block(text: &str, start: &str, prefix: &str) -> Vec<String> {
    let (_, text) = text.split_once(start).expect("the place to start from");
    let lines = text.lines().map(|line| line.strip_prefix(prefix).unwrap_or_default());
    let in_block = lines.skip_while(|line| !line.starts_with("```")).skip(1);
    in_block.take_while(|line| *line != "```").map(str::to_owned).collect()
}

#[test]
fn rustls_snippet_is_the_doc_test() {
    let readme = block(include_str!("../../README.md"), "## Use it with rustls\n", "");
    let docs = block(include_str!("../src/lib.rs"), "", "//! ");
    assert_eq!(readme, docs);
    assert!(readme.len() > 10, "{readme:?}");
}
