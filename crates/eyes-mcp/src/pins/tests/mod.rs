mod changes;
mod flagged;
mod kept;
mod states;
