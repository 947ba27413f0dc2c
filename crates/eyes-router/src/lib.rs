//! Which model looks, and how we know that its answer is evidence.
//!
//! A [`VisionReader`](vision::VisionReader) lets a route prove that it sees, asks one route after another
//! within the bounds of the operation, admits an answer only as validated evidence, and seals and stores the
//! record. What decides is pure: [`Failover`](route::Failover), [`Order`](route::Order),
//! [`Fault`](route::Fault), [`Circuit`](health::Circuit).

pub mod attempts;
mod call;
pub mod catalog;
pub mod codes;
pub mod config;
pub mod context;
pub mod error;
pub mod health;
pub mod limits;
pub mod model;
pub mod ports;
pub mod probe;
pub mod provider;
mod recent;
pub mod route;
#[cfg(feature = "testing")]
pub mod testing;
pub mod turn;
pub mod vision;
