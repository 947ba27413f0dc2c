//! Whether a list that turned empty is believed.

/// What becomes of a generation that was just listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belief {
    /// It is the catalogue now.
    Believed,
    /// Nothing of the server is exposed until it was listed once more.
    Doubted,
}

/// Decides whether a list is believed: one that had entries and turned empty is only when a second listing,
/// made afresh, is empty too.
///
/// Servers answer with nothing while they start, sign in or lose what stands behind them.
pub const fn believe(entries_before: usize, entries_now: usize, listed_afresh: bool) -> Belief {
    if entries_before > 0 && entries_now == 0 && !listed_afresh {
        Belief::Doubted
    } else {
        Belief::Believed
    }
}
