//! Model text to evidence: find the object, repair its structure, read its boxes, keep what is sound.

pub mod audit;
