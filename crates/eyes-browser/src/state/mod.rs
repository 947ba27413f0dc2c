//! States: what a caller is told of a page.
