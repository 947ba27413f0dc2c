//! This machine, for those who drive programs on it.
//!
//! What the subsystems that start programs or open addresses share: processes that end with their host, programs
//! found by name, the variables that a program may get, and classes of addresses. It settles nothing by itself:
//! which program, which address and which error code is the subsystem's.

pub mod address;
pub mod limits;
pub mod process;
