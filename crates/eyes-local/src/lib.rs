//! The embedded local eyes: reads one image without a network, a key or a language model.

pub mod text;
