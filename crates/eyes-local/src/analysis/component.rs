//! Connected areas of one colour, found in one pass over the rows.
//!
//! A row is cut into runs of neighbouring pixels of nearly the same colour; runs that touch in the next
//! row and have nearly the same colour there belong together (union-find). Only two rows of runs and the
//! areas that reach the present row are held, so memory does not grow with the height of the picture,
//! and areas too small to mean anything are forgotten as soon as they end.

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};

use super::{colour::Colour, rect::from_edges};
use crate::limits::{COMPONENT_TOLERANCE, MAX_COMPONENTS, MIN_COMPONENT_AREA, TILE};

/// A connected area of one colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Component {
    /// The box around it.
    pub rect: PixelRect,
    /// Its pixels.
    pub area: u32,
    /// Sum over its rows of the columns from its first to its last pixel: the area without holes.
    pub extent: u32,
    /// Its mean colour.
    pub colour: Colour,
}

impl Component {
    /// Share of the box that the area with its holes filled covers: 1 for a rectangle, 0.785 for a disc.
    pub(super) fn squareness(&self) -> f32 {
        self.extent as f32 / (self.rect.width as f32 * self.rect.height as f32)
    }

    /// Share of the filled area that has the colour: 1 without holes.
    pub(super) fn solidity(&self) -> f32 {
        self.area as f32 / self.extent.max(1) as f32
    }
}

/// All areas of a picture and how busy its parts are.
#[derive(Debug)]
pub(super) struct Components {
    /// Areas in the order in which they end, from top to bottom.
    pub list: Vec<Component>,
    /// Areas left out because there were more than [`MAX_COMPONENTS`].
    pub dropped: usize,
    /// Runs that begin in each tile of [`TILE`] pixels, row by row.
    pub busy: Vec<u16>,
    /// Tiles in a row.
    pub tiles_wide: usize,
}

#[derive(Clone, Copy)]
struct Run {
    start: u32,
    end: u32,
    sum: [u32; 3],
    id: u32,
}

/// An area that still grows.
#[derive(Clone, Copy)]
struct Growing {
    parent: u32,
    left: u32,
    top: u32,
    right: u32,
    last_row: u32,
    row_left: u32,
    row_right: u32,
    area: u32,
    extent: u32,
    sum: [u64; 3],
}

impl Growing {
    fn finished(&self) -> Component {
        let area = u64::from(self.area.max(1));
        Component {
            rect: from_edges(self.left, self.top, self.right, self.last_row + 1),
            area: self.area,
            extent: self.extent + (self.row_right - self.row_left),
            colour: Colour(self.sum.map(|s| ((s + area / 2) / area) as u8)),
        }
    }
}

#[derive(Default)]
struct Forest {
    nodes: Vec<Growing>,
    free: Vec<u32>,
    merged: Vec<u32>,
    done: Vec<Component>,
    dropped: usize,
}

impl Forest {
    fn root(&mut self, mut id: u32) -> u32 {
        while self.nodes[id as usize].parent != id {
            let above = self.nodes[id as usize].parent;
            self.nodes[id as usize].parent = self.nodes[above as usize].parent;
            id = above;
        }
        id
    }

    fn create(&mut self, run: Run, y: u32) -> u32 {
        let mut node = Growing {
            parent: 0,
            left: run.start,
            top: y,
            right: run.end,
            last_row: y,
            row_left: run.start,
            row_right: run.end,
            area: 0,
            extent: 0,
            sum: [0; 3],
        };
        if let Some(id) = self.free.pop() {
            node.parent = id;
            self.nodes[id as usize] = node;
            id
        } else {
            let id = self.nodes.len() as u32;
            node.parent = id;
            self.nodes.push(node);
            id
        }
    }

    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return a;
        }
        let (from, into) = (a.max(b), a.min(b));
        let gone = self.nodes[from as usize];
        self.nodes[from as usize].parent = into;
        self.merged.push(from);
        let kept = &mut self.nodes[into as usize];
        kept.left = kept.left.min(gone.left);
        kept.top = kept.top.min(gone.top);
        kept.right = kept.right.max(gone.right);
        kept.area += gone.area;
        kept.extent += gone.extent;
        for (sum, more) in kept.sum.iter_mut().zip(gone.sum) {
            *sum += more;
        }
        if kept.last_row == gone.last_row {
            kept.row_left = kept.row_left.min(gone.row_left);
            kept.row_right = kept.row_right.max(gone.row_right);
        } else {
            let (old, new) = if kept.last_row < gone.last_row {
                (*kept, gone)
            } else {
                (gone, *kept)
            };
            kept.extent += old.row_right - old.row_left;
            kept.last_row = new.last_row;
            kept.row_left = new.row_left;
            kept.row_right = new.row_right;
        }
        into
    }

    fn extend(&mut self, run: Run, y: u32) {
        let node = &mut self.nodes[run.id as usize];
        node.area += run.end - run.start;
        for (sum, more) in node.sum.iter_mut().zip(run.sum) {
            *sum += u64::from(more);
        }
        node.left = node.left.min(run.start);
        node.right = node.right.max(run.end);
        if node.last_row == y {
            node.row_left = node.row_left.min(run.start);
            node.row_right = node.row_right.max(run.end);
        } else {
            node.extent += node.row_right - node.row_left;
            node.last_row = y;
            node.row_left = run.start;
            node.row_right = run.end;
        }
    }

    fn finish(&mut self, id: u32) {
        let done = self.nodes[id as usize].finished();
        self.free.push(id);
        if done.area >= MIN_COMPONENT_AREA {
            self.done.push(done);
            if self.done.len() > 2 * MAX_COMPONENTS {
                self.prune();
            }
        }
    }

    /// Keeps the [`MAX_COMPONENTS`] largest areas.
    fn prune(&mut self) {
        if self.done.len() <= MAX_COMPONENTS {
            return;
        }
        self.dropped += self.done.len() - MAX_COMPONENTS;
        self.done.sort_by(|a, b| {
            let place = |c: &Component| (c.rect.y, c.rect.x);
            b.area.cmp(&a.area).then(place(a).cmp(&place(b)))
        });
        self.done.truncate(MAX_COMPONENTS);
    }
}

/// Finds all areas.
pub(super) fn components(image: &Rgb8) -> Components {
    let size = image.size();
    let tiles_wide = size.width.div_ceil(TILE) as usize;
    let tiles_high = size.height.div_ceil(TILE) as usize;
    let mut busy = vec![0_u16; tiles_wide * tiles_high];
    let mut forest = Forest::default();
    let (mut above, mut runs): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for y in 0..size.height {
        cut(image.row(y), &mut runs);
        for run in &runs {
            busy[(y / TILE) as usize * tiles_wide + (run.start / TILE) as usize] += 1;
        }
        connect(image, y, &above, &mut runs, &mut forest);
        for run in &mut runs {
            run.id = forest.root(run.id);
            forest.extend(*run, y);
        }
        retire(&above, y, &mut forest);
        let merged = std::mem::take(&mut forest.merged);
        forest.free.extend(merged);
        std::mem::swap(&mut above, &mut runs);
    }
    retire(&above, size.height, &mut forest);
    forest.prune();
    let mut list = forest.done;
    list.sort_by_key(|c| (c.rect.y, c.rect.x, c.rect.width, c.rect.height));
    Components {
        list,
        dropped: forest.dropped,
        busy,
        tiles_wide,
    }
}

fn cut(row: &[u8], runs: &mut Vec<Run>) {
    runs.clear();
    let mut last = [0_u8; 3];
    for (x, &rgb) in row.as_chunks::<3>().0.iter().enumerate() {
        let x = x as u32;
        let same = rgb == last || alike(rgb, last);
        match runs.last_mut() {
            Some(run) if same => {
                run.end = x + 1;
                for (sum, channel) in run.sum.iter_mut().zip(rgb) {
                    *sum += u32::from(channel);
                }
            }
            _ => runs.push(Run {
                start: x,
                end: x + 1,
                sum: rgb.map(u32::from),
                id: u32::MAX,
            }),
        }
        last = rgb;
    }
}

fn alike(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter()
        .zip(b)
        .all(|(&a, b)| a.abs_diff(b) <= COMPONENT_TOLERANCE)
}

/// Gives each run the area of the runs above that it continues, or a new one.
fn connect(image: &Rgb8, y: u32, above: &[Run], runs: &mut [Run], forest: &mut Forest) {
    let (row, row_above) = (image.row(y), image.row(y.saturating_sub(1)));
    let at = |row: &[u8], x: u32| {
        let start = x as usize * 3;
        [row[start], row[start + 1], row[start + 2]]
    };
    let mut first = 0;
    for run in runs {
        while above.get(first).is_some_and(|a| a.end <= run.start) {
            first += 1;
        }
        let touching = above[first..].iter().take_while(|a| a.start < run.end);
        for other in touching {
            let middle = u32::midpoint(run.start.max(other.start), run.end.min(other.end) - 1);
            if alike(at(row, middle), at(row_above, middle)) {
                run.id = if run.id == u32::MAX {
                    forest.root(other.id)
                } else {
                    forest.join(run.id, other.id)
                };
            }
        }
        if run.id == u32::MAX {
            run.id = forest.create(*run, y);
        }
    }
}

/// Finishes the areas that reached the row above `y` and not `y`.
fn retire(above: &[Run], y: u32, forest: &mut Forest) {
    for run in above {
        let id = forest.root(run.id);
        let node = &mut forest.nodes[id as usize];
        if node.last_row < y && node.area > 0 {
            forest.finish(id);
            // An area of several runs in the row above is finished once.
            forest.nodes[id as usize].area = 0;
        }
    }
}
