//! Names of keys.
