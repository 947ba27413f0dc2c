//! Connected areas of a probability map.

/// One row of a component: the row and the first and last column it reaches.
pub(super) type RowExtent = (u32, u32, u32);

/// A run of marked pixels in one row.
struct Run {
    row: u32,
    first: u32,
    last: u32,
}

/// Finds the areas of `map` above `threshold` that hang together (also over corners), in order of their
/// first pixel, each as the extents of its rows from top to bottom.
pub(super) fn components(map: &[u8], width: u32, threshold: u8) -> Vec<Vec<RowExtent>> {
    let runs = runs(map, width, threshold);
    let parents = join(&runs);
    let mut slots = vec![usize::MAX; runs.len()];
    let mut found: Vec<Vec<RowExtent>> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let root = parents[index];
        if slots[root] == usize::MAX {
            slots[root] = found.len();
            found.push(Vec::new());
        }
        let rows = &mut found[slots[root]];
        match rows.last_mut() {
            Some((row, first, last)) if *row == run.row => {
                *first = (*first).min(run.first);
                *last = (*last).max(run.last);
            }
            _ => rows.push((run.row, run.first, run.last)),
        }
    }
    found
}

fn runs(map: &[u8], width: u32, threshold: u8) -> Vec<Run> {
    let mut runs = Vec::new();
    for (row, pixels) in map.chunks_exact(width as usize).enumerate() {
        let mut open: Option<u32> = None;
        for (x, value) in pixels.iter().enumerate() {
            match (open, *value > threshold) {
                (None, true) => open = Some(x as u32),
                (Some(first), false) => {
                    runs.push(Run {
                        row: row as u32,
                        first,
                        last: x as u32 - 1,
                    });
                    open = None;
                }
                _ => {}
            }
        }
        if let Some(first) = open {
            runs.push(Run {
                row: row as u32,
                first,
                last: width - 1,
            });
        }
    }
    runs
}

/// Joins runs that touch the runs of the row above; returns each run's parent, roots being their own.
fn join(runs: &[Run]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..runs.len()).collect();
    let mut above = 0;
    for (index, run) in runs.iter().enumerate() {
        while above < index
            && (runs[above].row + 1 < run.row
                || (runs[above].row + 1 == run.row && runs[above].last + 1 < run.first))
        {
            above += 1;
        }
        let mut other = above;
        while other < index && runs[other].row + 1 == run.row && runs[other].first <= run.last + 1 {
            let (a, b) = (compress(&mut parents, index), compress(&mut parents, other));
            // The earlier run stays the root, so that components keep the order of their first pixel.
            parents[a.max(b)] = a.min(b);
            other += 1;
        }
    }
    // A parent never comes after its child, so one pass forward leads every run to its root.
    for index in 0..parents.len() {
        parents[index] = parents[parents[index]];
    }
    parents
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}

fn compress(parents: &mut [usize], at: usize) -> usize {
    let root = root(parents, at);
    let mut next = at;
    while parents[next] != root {
        next = std::mem::replace(&mut parents[next], root);
    }
    root
}
