//! Which tier runs, and why.
