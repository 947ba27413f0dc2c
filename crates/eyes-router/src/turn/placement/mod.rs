//! Which pictures of a session stand in full, and which as pointers: pure, and the same for the same session.
//!
//! A provider bills a request cheaply as far as it begins like the one before, so what was sent once must not
//! change from call to call. The session is therefore played through from its start: pictures stand in full
//! until their sum passes the high mark, and only then the oldest become pointers, in one batch, down to the low
//! mark. Nothing is stored: the same messages give the same result, and one message more changes nothing before
//! it unless a batch is due.

#[cfg(test)]
mod tests;

/// How a picture stands in what is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// In full: its evidence, or its pixels.
    Full,
    /// As a pointer.
    Pointer,
    /// As a stub that says that a picture was there.
    Gone,
}

/// One picture in the order of the session; weights are estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Pictures with one number are the same picture.
    pub(super) image: usize,
    /// Which user turn it belongs to, counted up.
    pub(super) turn: usize,
    /// Which message holds it, counted up.
    pub(super) message: usize,
    /// A tool returned it; the person did not send it.
    pub(super) in_result: bool,
    /// What it weighs in full; nothing where it cannot stand in full.
    pub(super) full: Option<u64>,
    /// What its pointer weighs.
    pub(super) pointer: u64,
}

/// The marks, in estimated tokens, and how many pointers are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlacementBudget {
    /// A batch is due above this.
    pub(super) high: u64,
    /// A batch goes down to this.
    pub(super) low: u64,
    /// Above this also pictures of the running turn give way, if a tool returned them.
    pub(super) hard: u64,
    /// The newest pointers that stay in a batch.
    pub(super) pointers: usize,
}

/// Returns how each picture stands.
pub(super) fn place(slots: &[Slot], budget: PlacementBudget) -> Vec<Level> {
    let mut board = Board {
        slots,
        budget,
        levels: Vec::with_capacity(slots.len()),
        total: 0,
        pointers: 0,
    };
    let mut rest = slots;
    while let Some(first) = rest.first() {
        let step = rest
            .iter()
            .take_while(|slot| slot.message == first.message)
            .count();
        for slot in &rest[..step] {
            board.add(slot);
        }
        board.settle(first.turn, first.message);
        rest = &rest[step..];
    }
    board.levels
}

struct Board<'a> {
    slots: &'a [Slot],
    budget: PlacementBudget,
    levels: Vec<Level>,
    total: u64,
    pointers: usize,
}

impl Board<'_> {
    fn add(&mut self, slot: &Slot) {
        // A picture that stands in full already needs no second copy.
        let is_repeat = self.is_full(slot.image);
        match slot.full {
            Some(weight) if !is_repeat => {
                self.levels.push(Level::Full);
                self.total += weight;
            }
            _ => {
                self.levels.push(Level::Pointer);
                self.total += slot.pointer;
                self.pointers += 1;
            }
        }
    }

    fn is_full(&self, image: usize) -> bool {
        let stands = self.slots.iter().zip(&self.levels);
        stands
            .into_iter()
            .any(|(slot, level)| slot.image == image && *level == Level::Full)
    }

    fn settle(&mut self, turn: usize, message: usize) {
        let crowded = self.pointers > self.budget.pointers * 2;
        let heavy = self.total > self.budget.high;
        if heavy {
            let needed: Vec<usize> = self.current(turn).map(|slot| slot.image).collect();
            self.compact(self.budget.low, |slot| {
                slot.turn < turn && !needed.contains(&slot.image)
            });
        }
        if self.total > self.budget.hard {
            self.compact(self.budget.high, |slot| {
                slot.turn == turn && slot.in_result && slot.message < message
            });
        }
        if heavy || crowded {
            self.drop_pointers(turn);
        }
    }

    /// Returns the pictures of the running turn.
    fn current(&self, turn: usize) -> impl Iterator<Item = &Slot> {
        let present = &self.slots[..self.levels.len()];
        present.iter().filter(move |slot| slot.turn == turn)
    }

    fn compact(&mut self, mark: u64, may_go: impl Fn(&Slot) -> bool) {
        for (slot, level) in self.slots.iter().zip(&mut self.levels) {
            if self.total <= mark {
                return;
            }
            if *level == Level::Full && may_go(slot) {
                *level = Level::Pointer;
                self.total = self.total + slot.pointer - slot.full.unwrap_or(slot.pointer);
                self.pointers += 1;
            }
        }
    }

    /// Keeps the newest pointers, and those of the running turn.
    fn drop_pointers(&mut self, turn: usize) {
        let mut kept = 0;
        for (slot, level) in self.slots.iter().zip(&mut self.levels).rev() {
            if *level != Level::Pointer {
                continue;
            }
            if kept < self.budget.pointers || slot.turn == turn {
                kept += 1;
            } else {
                *level = Level::Gone;
                self.total = self.total.saturating_sub(slot.pointer);
            }
        }
        self.pointers = kept;
    }
}
