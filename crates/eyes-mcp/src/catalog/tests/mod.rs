mod admission;
mod content;
mod draining;
